import { largest, mean, median, rounded, smallest, total } from './statistics.ts'
import {
  areEqual,
  bounded,
  fingerprint,
  finite,
  isRecord,
  isTruthy,
  type Value,
  valueLimits,
} from './value.ts'
import { spend, type Work } from './work.ts'

export type StaticType = 'number' | 'text' | 'boolean' | 'null' | 'list' | 'object' | 'unknown'
export type Parameter = 'number' | 'numbers' | 'list' | 'list or text' | 'sized' | 'anything'

export interface LanguageFunction {
  /** How it is written, for people. */
  readonly usage: string
  readonly least: number
  readonly most: number
  /** The last one stands for all that follow. */
  readonly takes: readonly Parameter[]
  readonly gives: StaticType
  /** Notes what it costs beyond a step: `values` may be as long as results are. */
  run(work: Work, ...values: Value[]): Value
}

/** Steps for each item of a list. */
const costOf = { passing: 1 / 8, sorting: 1 }

/** Numbers as separate arguments or as one list; null when anything else is among them. */
function numbersIn(values: Value[], work: Work, costOfItem: number): number[] | null {
  const [first] = values
  const items = values.length === 1 && Array.isArray(first) ? first : values
  if (!spend(work, items.length * costOfItem)) return null
  return items.every((item) => typeof item === 'number') ? items : null
}

const overNumbers = (
  name: string,
  fold: (numbers: number[]) => number | null,
  costOfItem = costOf.passing,
): [string, LanguageFunction] => [
  name,
  {
    usage: `${name}(list) or ${name}(a, b, …)`,
    least: 1,
    most: 500,
    takes: ['numbers'],
    gives: 'number',
    run(work, ...values) {
      const numbers = numbersIn(values, work, costOfItem)
      const result = numbers ? fold(numbers) : null
      return result === null ? null : finite(result)
    },
  },
]

const ofNumber = (name: string, change: (number: number) => number): [string, LanguageFunction] => [
  name,
  {
    usage: `${name}(x)`,
    least: 1,
    most: 1,
    takes: ['number'],
    gives: 'number',
    run: (_work, x = null) => (typeof x === 'number' ? finite(change(x)) : null),
  },
]

const ofList = (
  name: string,
  gives: StaticType,
  read: (list: Value[], work: Work) => Value,
): [string, LanguageFunction] => [
  name,
  {
    usage: `${name}(list)`,
    least: 1,
    most: 1,
    takes: ['list'],
    gives,
    run: (work, list = null) =>
      Array.isArray(list) && spend(work, list.length * costOf.passing) ? read(list, work) : null,
  },
]

function sorted(list: Value[], work: Work): Value {
  if (list.length > valueLimits.listItems || !spend(work, list.length * costOf.sorting)) return null
  if (list.every((item) => typeof item === 'number')) return list.toSorted((a, b) => a - b)
  if (!list.every((item) => typeof item === 'string')) return null
  const characters = list.reduce((sum, text) => sum + text.length, 0)
  // By code units, not by locale: the same on every machine.
  return spend(work, characters / 8) ? list.toSorted() : null
}

function unique(list: Value[], work: Work): Value {
  if (list.length > valueLimits.listItems) return null
  const seen = new Map<string, Value>()
  for (const item of list) {
    const key = fingerprint(item, work)
    if (!seen.has(key)) seen.set(key, item)
  }
  return [...seen.values()]
}

/** Without the first that is equal, so that of several alike one goes: what the others gave, when x is one's own. */
function without(list: Value[], x: Value, work: Work): Value {
  if (list.length > valueLimits.listItems || !spend(work, list.length * costOf.passing)) return null
  const index = list.findIndex((item) => areEqual(item, x, work))
  return index < 0 ? list : list.toSpliced(index, 1)
}

function length(value: Value, work: Work): number | null {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  if (!isRecord(value)) return null
  const keys = Object.keys(value).length
  spend(work, keys / 4)
  return keys
}

function contains(container: Value, x: Value, work: Work): boolean | null {
  if (Array.isArray(container)) return container.some((item) => areEqual(item, x, work))
  if (typeof container !== 'string' || typeof x !== 'string') return null
  // Looking for a long text in a long one takes their product where they are nearly alike.
  const comparisons = Math.max(0, container.length - x.length) * x.length + container.length
  return spend(work, comparisons / 64) && container.includes(x)
}

/** A Map, so that `constructor` is not found in it. */
export const functions: ReadonlyMap<string, LanguageFunction> = new Map<string, LanguageFunction>([
  overNumbers('min', smallest),
  overNumbers('max', largest),
  overNumbers('sum', total),
  overNumbers('mean', mean),
  overNumbers('median', median, costOf.sorting),
  ofNumber('floor', Math.floor),
  ofNumber('ceil', Math.ceil),
  ofNumber('abs', Math.abs),
  ofList('all', 'boolean', (list) => list.every(isTruthy)),
  ofList('any', 'boolean', (list) => list.some(isTruthy)),
  ofList('sort', 'list', sorted),
  ofList('unique', 'list', (list, work) => bounded(unique(list, work), work)),
  [
    'round',
    {
      usage: 'round(x) or round(x, digits)',
      least: 1,
      most: 2,
      takes: ['number'],
      gives: 'number',
      run: (_work, x = null, digits = 0) =>
        typeof x === 'number' && typeof digits === 'number' ? rounded(x, digits) : null,
    },
  ],
  [
    'count',
    {
      usage: 'count(list) or count(list, x)',
      least: 1,
      most: 2,
      takes: ['list', 'anything'],
      gives: 'number',
      run(work, list = null, ...wanted) {
        if (!Array.isArray(list)) return null
        const [x] = wanted
        return x === undefined ? list.length : list.filter((item) => areEqual(item, x, work)).length
      },
    },
  ],
  [
    'length',
    {
      usage: 'length(list or text)',
      least: 1,
      most: 1,
      takes: ['sized'],
      gives: 'number',
      run: (work, value = null) => length(value, work),
    },
  ],
  [
    'contains',
    {
      usage: 'contains(list or text, x)',
      least: 2,
      most: 2,
      takes: ['list or text', 'anything'],
      gives: 'boolean',
      run: (work, container = null, x = null) => contains(container, x, work),
    },
  ],
  [
    'without',
    {
      usage: 'without(list, x)',
      least: 2,
      most: 2,
      takes: ['list', 'anything'],
      gives: 'list',
      run: (work, list = null, x = null) => (Array.isArray(list) ? without(list, x, work) : null),
    },
  ],
  [
    'at',
    {
      usage: 'at(list, i)',
      least: 2,
      most: 2,
      takes: ['list', 'number'],
      gives: 'unknown',
      run: (_work, list = null, i = null) =>
        Array.isArray(list) && Number.isInteger(i) && typeof i === 'number' ? (list.at(i) ?? null) : null,
    },
  ],
])
