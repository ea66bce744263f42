import type { Value } from '../value.ts'
import { isSpent, spend, type Work } from '../work.ts'
import type { ValueFormat, ValueFormats } from './value-format.ts'

const nothing = '–'
/** Stands for what is not shown any more. */
export const cutMark = '…'
/** Nobody reads more of one value, and a text is sent with every change of it. */
const longestValue = 1_000

/** Measured, in steps of 50 ns. Making a format takes as long as using it a hundred times. */
const costs = { number: 24, knownNumber: 1, format: 1_000, list: 60, listItem: 2, charactersPerStep: 16 }

export interface ValueWriter {
  write(value: Value, format: ValueFormat): string
}

/** Writes the values of one action in one language, each number once; everything is charged to the work. */
export function createValueWriter(formats: ValueFormats, work: Work): ValueWriter {
  const known = new Map<string, Map<number, string>>()

  function numbersIn(format: ValueFormat): Map<number, string> {
    const key = keyOf(format)
    const numbers = known.get(key)
    if (numbers) return numbers
    spend(work, costs.format)
    const begun = new Map<number, string>()
    known.set(key, begun)
    return begun
  }

  function writeNumber(value: number, format: ValueFormat): string {
    const numbers = numbersIn(format)
    const written = numbers.get(value)
    spend(work, written === undefined ? costs.number : costs.knownNumber)
    if (written !== undefined) return written
    const text = cut(formats.number(value, format))
    numbers.set(value, text)
    return text
  }

  function writeOne(value: Exclude<Value, Value[]>, format: ValueFormat): string {
    if (typeof value === 'number') return writeNumber(value, format)
    if (typeof value === 'string') {
      const text = cut(value)
      spend(work, 1 + text.length / costs.charactersPerStep)
      return text
    }
    return typeof value === 'boolean' ? String(value) : nothing
  }

  /** Only the items that are shown are written: a list may have ten thousand. */
  function writeList(values: readonly Value[], format: ValueFormat): string {
    const items: string[] = []
    let length = 0
    let lengthBefore = 0
    for (const value of values) {
      // One more than fits, so that what stands before the last item of a list is cut off.
      if (lengthBefore > longestValue + 1 || isSpent(work)) break
      const item = Array.isArray(value) ? nothing : writeOne(value, format)
      items.push(item)
      lengthBefore = length
      length += item.length + 1
    }
    spend(work, costs.list + items.length * costs.listItem + length / costs.charactersPerStep)
    return items.length === 0 ? nothing : cut(formats.list(items))
  }

  return {
    write(value, format) {
      if (isSpent(work)) return cutMark
      const text = Array.isArray(value) ? writeList(value, format) : writeOne(value, format)
      return isSpent(work) ? cutMark : text
    },
  }
}

const cut = (text: string): string =>
  text.length > longestValue ? `${text.slice(0, longestValue)}${cutMark}` : text

function keyOf(format: ValueFormat): string {
  switch (format.kind) {
    case 'usual':
      return ''
    case 'decimals':
      return `${format.decimals}${format.isPercent ? '%' : ''}`
    case 'currency':
      return format.currency
    case 'plural':
      return JSON.stringify(format.forms)
  }
}
