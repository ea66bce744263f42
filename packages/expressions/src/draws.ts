import type { FunctionForm } from './functions.ts'
import { nodesIn, type SyntaxNode } from './syntax.ts'
import { bounded, finite, type Value, valueLimits } from './value.ts'
import { spend, type Work } from './work.ts'

export interface DrawFunction extends FunctionForm {
  /** `next` gives numbers in [0, 1). */
  run(work: Work, next: () => number, ...values: Value[]): Value
}

/** More would not all be reached: a random number has 32 bits. */
const maxRange = 2 ** 32

/** Fisher–Yates from the front, as far as it is needed: every choice and order is equally likely. */
function drawnFrom(list: Value[], count: number, next: () => number, work: Work): Value {
  const isPossible = Number.isInteger(count) && count >= 0 && count <= list.length
  if (!isPossible || list.length > valueLimits.listItems || !spend(work, list.length)) return null
  const items = [...list]
  for (let place = 0; place < count; place += 1) {
    const from = place + Math.floor(next() * (items.length - place))
    const [here = null, there = null] = [items[place], items[from]]
    items[place] = there
    items[from] = here
  }
  return bounded(items.slice(0, count), work)
}

function wholeBetween(low: number, high: number, next: () => number): number | null {
  const range = high - low + 1
  const isPossible =
    Number.isSafeInteger(low) && Number.isSafeInteger(high) && range >= 1 && range <= maxRange
  return isPossible ? low + Math.floor(next() * range) : null
}

/** R63: only where a value is set once, so that everybody who looks sees what was drawn. */
export const drawFunctions: ReadonlyMap<string, DrawFunction> = new Map<string, DrawFunction>([
  [
    'draw',
    {
      usage: 'draw(list)',
      minArguments: 1,
      maxArguments: 1,
      parameters: ['list'],
      returns: 'unknown',
      run: (_work, next, list = null) =>
        Array.isArray(list) ? (list[Math.floor(next() * list.length)] ?? null) : null,
    },
  ],
  [
    'drawInt',
    {
      usage: 'drawInt(low, high)',
      minArguments: 2,
      maxArguments: 2,
      parameters: ['number'],
      returns: 'number',
      run: (_work, next, low = null, high = null) =>
        typeof low === 'number' && typeof high === 'number' ? wholeBetween(low, high, next) : null,
    },
  ],
  [
    'drawNumber',
    {
      usage: 'drawNumber(low, high)',
      minArguments: 2,
      maxArguments: 2,
      parameters: ['number'],
      returns: 'number',
      run: (_work, next, low = null, high = null) =>
        typeof low === 'number' && typeof high === 'number' && low <= high
          ? finite(low + next() * (high - low))
          : null,
    },
  ],
  [
    'shuffle',
    {
      usage: 'shuffle(list)',
      minArguments: 1,
      maxArguments: 1,
      parameters: ['list'],
      returns: 'list',
      run: (work, next, list = null) =>
        Array.isArray(list) ? drawnFrom(list, list.length, next, work) : null,
    },
  ],
  [
    'sample',
    {
      usage: 'sample(list, n)',
      minArguments: 2,
      maxArguments: 2,
      parameters: ['list', 'number'],
      returns: 'list',
      run: (work, next, list = null, n = null) =>
        Array.isArray(list) && typeof n === 'number' ? drawnFrom(list, n, next, work) : null,
    },
  ],
])

/** Whether its value depends on chance. */
export function draws(root: SyntaxNode): boolean {
  for (const node of nodesIn(root)) if (node.kind === 'call' && drawFunctions.has(node.name)) return true
  return false
}
