import {
  largest,
  mean,
  median,
  onEveryMachine,
  rounded,
  smallest,
  standardDeviation,
  total,
} from './statistics.ts'
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
export type Parameter =
  | 'number'
  | 'numbers'
  | 'text'
  | 'list'
  | 'list or text'
  | 'sized'
  | 'object'
  | 'anything'

export interface FunctionForm {
  /** The syntax shown in messages. */
  readonly usage: string
  readonly minArguments: number
  readonly maxArguments: number
  /** The last one applies to all further arguments. */
  readonly parameters: readonly Parameter[]
  readonly returns: StaticType
}

export interface LanguageFunction extends FunctionForm {
  /** Spends what it costs beyond one step: `values` may be as long as a result may be. */
  run(work: Work, ...values: Value[]): Value
}

/** Steps per item of a list. */
const costOf = { passing: 1 / 8, sorting: 1 }

/** Numbers as separate arguments or as one list; null if there is anything else among them. */
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
    minArguments: 1,
    maxArguments: 500,
    parameters: ['numbers'],
    returns: 'number',
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
    minArguments: 1,
    maxArguments: 1,
    parameters: ['number'],
    returns: 'number',
    run: (_work, x = null) => (typeof x === 'number' ? finite(change(x)) : null),
  },
]

const ofText = (name: string, change: (text: string) => string): [string, LanguageFunction] => [
  name,
  {
    usage: `${name}(text)`,
    minArguments: 1,
    maxArguments: 1,
    parameters: ['text'],
    returns: 'text',
    run: (work, text = null) =>
      typeof text === 'string' && spend(work, text.length / 8) ? bounded(change(text), work) : null,
  },
]

const ofListAndItem = (
  name: string,
  returns: StaticType,
  read: (list: Value[], x: Value, work: Work) => Value,
): [string, LanguageFunction] => [
  name,
  {
    usage: `${name}(list, x)`,
    minArguments: 2,
    maxArguments: 2,
    parameters: ['list', 'anything'],
    returns,
    run: (work, list = null, x = null) => (Array.isArray(list) ? read(list, x, work) : null),
  },
]

const ofList = (
  name: string,
  returns: StaticType,
  read: (list: Value[], work: Work) => Value,
): [string, LanguageFunction] => [
  name,
  {
    usage: `${name}(list)`,
    minArguments: 1,
    maxArguments: 1,
    parameters: ['list'],
    returns,
    run: (work, list = null) =>
      Array.isArray(list) && spend(work, list.length * costOf.passing) ? read(list, work) : null,
  },
]

function sorted(list: Value[], work: Work): Value {
  if (list.length > valueLimits.listItems || !spend(work, list.length * costOf.sorting)) return null
  if (list.every((item) => typeof item === 'number')) return list.toSorted((a, b) => a - b)
  if (!list.every((item) => typeof item === 'string')) return null
  const characters = list.reduce((sum, text) => sum + text.length, 0)
  // By code unit, not by locale, so that it is the same on every machine.
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

/** Removes only the first equal item, so that `without(responses.x, response.x)` is what the others responded. */
function without(list: Value[], x: Value, work: Work): Value {
  if (list.length > valueLimits.listItems || !spend(work, list.length * costOf.passing)) return null
  const index = list.findIndex((item) => areEqual(item, x, work))
  return index < 0 ? list : list.toSpliced(index, 1)
}

function append(list: Value[], x: Value, work: Work): Value {
  if (list.length >= valueLimits.listItems || !spend(work, list.length * costOf.passing)) return null
  return bounded([...list, x], work)
}

function indexOf(list: Value[], x: Value, work: Work): number | null {
  const index = list.findIndex((item) => areEqual(item, x, work))
  return index < 0 ? null : index
}

/** 1 for whoever has the most; equal numbers share a rank, and the next one is left out. */
function rank(list: Value[], x: Value, work: Work): number | null {
  const numbers = numbersIn([list], work, costOf.passing)
  return numbers && typeof x === 'number' ? 1 + numbers.filter((number) => number > x).length : null
}

function joined(list: Value[], separator: Value, work: Work): string | null {
  if (typeof separator !== 'string' || !spend(work, list.length * costOf.passing)) return null
  let text = ''
  for (const [index, item] of list.entries()) {
    if (typeof item === 'object') return null
    text += (index === 0 ? '' : separator) + item
    if (text.length > valueLimits.textLength || !spend(work, String(item).length / 8)) return null
  }
  return text
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
  // In the worst case, searching a long text for a similar one costs the product of their lengths.
  const comparisons = Math.max(0, container.length - x.length) * x.length + container.length
  return spend(work, comparisons / 64) && container.includes(x)
}

/** Of an answer that names each: points by item, or answers by alias. In the order in which they stand there. */
function valuesOf(object: Value, work: Work): Value {
  if (!isRecord(object)) return null
  const values = Object.values(object)
  return values.length <= valueLimits.listItems && spend(work, values.length / 4) ? values : null
}

/** Those that make one figure of a whole list, whose length its result does not have. */
export const figureFunctions: ReadonlySet<string> = new Set([
  ...['count', 'length', 'sum', 'mean', 'median', 'sd', 'min', 'max', 'all', 'any'],
])

/** A Map, because an object would inherit `constructor`. */
export const functions: ReadonlyMap<string, LanguageFunction> = new Map<string, LanguageFunction>([
  overNumbers('min', smallest),
  overNumbers('max', largest),
  overNumbers('sum', total),
  overNumbers('mean', mean),
  overNumbers('median', median, costOf.sorting),
  overNumbers('sd', standardDeviation),
  ofNumber('floor', Math.floor),
  ofNumber('ceil', Math.ceil),
  ofNumber('abs', Math.abs),
  ofNumber('sqrt', Math.sqrt),
  ofNumber('log', (x) => onEveryMachine(Math.log(x))),
  ofNumber('exp', (x) => onEveryMachine(Math.exp(x))),
  ofText('lower', (text) => text.toLowerCase()),
  ofText('upper', (text) => text.toUpperCase()),
  ofListAndItem('append', 'list', append),
  ofListAndItem('index', 'number', indexOf),
  ofListAndItem('rank', 'number', rank),
  ofListAndItem('without', 'list', without),
  ofList('all', 'boolean', (list) => list.every(isTruthy)),
  ofList('any', 'boolean', (list) => list.some(isTruthy)),
  ofList('sort', 'list', sorted),
  ofList('unique', 'list', (list, work) => bounded(unique(list, work), work)),
  [
    'round',
    {
      usage: 'round(x) or round(x, digits)',
      minArguments: 1,
      maxArguments: 2,
      parameters: ['number'],
      returns: 'number',
      run: (_work, x = null, digits = 0) =>
        typeof x === 'number' && typeof digits === 'number' ? rounded(x, digits) : null,
    },
  ],
  [
    'count',
    {
      usage: 'count(list) or count(list, x)',
      minArguments: 1,
      maxArguments: 2,
      parameters: ['list', 'anything'],
      returns: 'number',
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
      minArguments: 1,
      maxArguments: 1,
      parameters: ['sized'],
      returns: 'number',
      run: (work, value = null) => length(value, work),
    },
  ],
  [
    'values',
    {
      usage: 'values(object)',
      minArguments: 1,
      maxArguments: 1,
      parameters: ['object'],
      returns: 'list',
      run: (work, object = null) => valuesOf(object, work),
    },
  ],
  [
    'contains',
    {
      usage: 'contains(list or text, x)',
      minArguments: 2,
      maxArguments: 2,
      parameters: ['list or text', 'anything'],
      returns: 'boolean',
      run: (work, container = null, x = null) => contains(container, x, work),
    },
  ],
  [
    'pow',
    {
      usage: 'pow(x, power)',
      minArguments: 2,
      maxArguments: 2,
      parameters: ['number'],
      returns: 'number',
      run: (_work, x = null, power = null) =>
        typeof x === 'number' && typeof power === 'number' ? finite(onEveryMachine(x ** power)) : null,
    },
  ],
  [
    'join',
    {
      usage: 'join(list) or join(list, separator)',
      minArguments: 1,
      maxArguments: 2,
      parameters: ['list', 'text'],
      returns: 'text',
      run: (work, list = null, separator = ', ') =>
        Array.isArray(list) ? joined(list, separator, work) : null,
    },
  ],
  [
    'at',
    {
      usage: 'at(list, i)',
      minArguments: 2,
      maxArguments: 2,
      parameters: ['list', 'number'],
      returns: 'unknown',
      run: (_work, list = null, i = null) =>
        Array.isArray(list) && Number.isInteger(i) && typeof i === 'number' ? (list.at(i) ?? null) : null,
    },
  ],
])
