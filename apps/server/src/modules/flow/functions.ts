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
  run(...values: Value[]): Value
}

/** Numbers as separate arguments or as one list; null when anything else is among them. */
function numbersIn(values: Value[]): number[] | null {
  const [first] = values
  const items = values.length === 1 && Array.isArray(first) ? first : values
  return items.every((item) => typeof item === 'number') ? items : null
}

const overNumbers = (
  name: string,
  fold: (numbers: number[]) => number | null,
): [string, LanguageFunction] => [
  name,
  {
    usage: `${name}(list) or ${name}(a, b, …)`,
    least: 1,
    most: 500,
    takes: ['numbers'],
    gives: 'number',
    run(...values) {
      const numbers = numbersIn(values)
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
    run: (x = null) => (typeof x === 'number' ? finite(change(x)) : null),
  },
]

const ofList = (
  name: string,
  gives: StaticType,
  read: (list: Value[]) => Value,
): [string, LanguageFunction] => [
  name,
  {
    usage: `${name}(list)`,
    least: 1,
    most: 1,
    takes: ['list'],
    gives,
    run: (list = null) => (Array.isArray(list) ? read(list) : null),
  },
]

function sorted(list: Value[]): Value {
  if (list.length > valueLimits.listItems) return null
  if (list.every((item) => typeof item === 'number')) return list.toSorted((a, b) => a - b)
  // By code units, not by locale: the same on every machine.
  if (list.every((item) => typeof item === 'string')) return list.toSorted()
  return null
}

function unique(list: Value[]): Value {
  if (list.length > valueLimits.listItems) return null
  const seen = new Map<string, Value>()
  for (const item of list) {
    const key = fingerprint(item)
    if (!seen.has(key)) seen.set(key, item)
  }
  return [...seen.values()]
}

function length(value: Value): number | null {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return isRecord(value) ? Object.keys(value).length : null
}

function contains(container: Value, x: Value): boolean | null {
  if (Array.isArray(container)) return container.some((item) => areEqual(item, x))
  return typeof container === 'string' && typeof x === 'string' ? container.includes(x) : null
}

/** A Map, so that `constructor` is not found in it. */
export const functions: ReadonlyMap<string, LanguageFunction> = new Map<string, LanguageFunction>([
  overNumbers('min', smallest),
  overNumbers('max', largest),
  overNumbers('sum', total),
  overNumbers('mean', mean),
  overNumbers('median', median),
  ofNumber('floor', Math.floor),
  ofNumber('ceil', Math.ceil),
  ofNumber('abs', Math.abs),
  ofList('all', 'boolean', (list) => list.every(isTruthy)),
  ofList('any', 'boolean', (list) => list.some(isTruthy)),
  ofList('sort', 'list', sorted),
  ofList('unique', 'list', (list) => bounded(unique(list))),
  [
    'round',
    {
      usage: 'round(x) or round(x, digits)',
      least: 1,
      most: 2,
      takes: ['number'],
      gives: 'number',
      run: (x = null, digits = 0) =>
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
      run(list = null, ...wanted) {
        if (!Array.isArray(list)) return null
        const [x] = wanted
        return x === undefined ? list.length : list.filter((item) => areEqual(item, x)).length
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
      run: (value = null) => length(value),
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
      run: (container = null, x = null) => contains(container, x),
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
      run: (list = null, i = null) =>
        Array.isArray(list) && Number.isInteger(i) && typeof i === 'number' ? (list.at(i) ?? null) : null,
    },
  ],
])
