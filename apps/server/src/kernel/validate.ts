import { formIssues, limits, type ValidationIssue } from '@atrium/contract'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

const mostIssues = 20

interface Checker {
  Check(value: unknown): boolean
  Type(): TSchema
}

/**
 * TypeBox collects all errors, and in lists compares all pairs: 49,000 zeros took 27 s. Below this limit it takes
 * milliseconds.
 */
const mostMembersExplained = 2_000

/**
 * What is wrong with a value, as sentences with paths; empty if nothing is. Whether a value fits is found quickly;
 * where it does not is searched only in small values, or, `explainAnySize`, off the event loop.
 */
export function issuesOf(
  checker: Checker,
  value: unknown,
  at = '',
  explainAnySize = false,
): ValidationIssue[] {
  if (checker.Check(value)) return []
  const tooLong = findTooLong(checker.Type(), value)
  if (tooLong) return [{ ...tooLong, path: at + tooLong.path }]
  if (!explainAnySize && membersLeft(value, mostMembersExplained) < 0)
    return [{ path: at, message: 'does not have the expected form, and is too large to say where' }]
  const issues = formIssues(checker.Type(), value, at).slice(0, mostIssues)
  return issues.length > 0 ? issues : [{ path: at, message: 'does not have the expected form' }]
}

/** The parts of a JSON schema that limit the length of lists. */
interface SchemaShape {
  maxItems?: number
  items?: unknown
  properties?: Record<string, unknown>
}

/** The first list that is longer than its schema allows, searched along properties and items. */
function findTooLong(schema: unknown, value: unknown): ValidationIssue | undefined {
  if (typeof schema !== 'object' || schema === null || typeof value !== 'object' || value === null) return
  const { maxItems = Number.POSITIVE_INFINITY, items, properties = {} } = schema as SchemaShape
  if (Array.isArray(value)) {
    if (value.length > maxItems) return { path: '', message: `must have at most ${maxItems} items` }
    return items === undefined
      ? undefined
      : firstWithin(value.map((inner, index) => [String(index), items, inner]))
  }
  const held = new Map(Object.entries(value))
  return firstWithin(Object.entries(properties).map(([name, inner]) => [name, inner, held.get(name)]))
}

function firstWithin(places: [name: string, schema: unknown, value: unknown][]): ValidationIssue | undefined {
  for (const [name, schema, value] of places) {
    const found = findTooLong(schema, value)
    if (found) return { ...found, path: `/${name}${found.path}` }
  }
  return undefined
}

/** `most` minus the number of members in the value, at any depth; stops counting below zero. */
function membersLeft(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return most
  const inner = Object.values(value)
  let left = most - inner.length
  for (const each of inner) {
    if (left < 0) return left
    left = membersLeft(each, left)
  }
  return left
}

export interface Parser<Value> {
  /** Returns the value, typed, if it fits, or else the issues. */
  parse(value: unknown): { ok: true; value: Value } | { ok: false; issues: ValidationIssue[] }
}

/**
 * A parser for input from outside. It checks the depth first: everything after that, including the schema's own check
 * and JSON.stringify, may then recurse without overflowing the stack.
 */
export function parserFor<Schema extends TSchema>(
  schema: Schema,
  { explainAnySize = false }: { explainAnySize?: boolean } = {},
): Parser<Static<Schema>> {
  const compiled = Compile(schema)
  return {
    parse(value) {
      const unstorable = findUnstorable(value, limits.jsonDepth)
      if (unstorable) return { ok: false, issues: [unstorable] }
      return compiled.Check(value)
        ? { ok: true, value: value as Static<Schema> }
        : { ok: false, issues: issuesOf(compiled, value, '', explainAnySize) }
    },
  }
}

/**
 * The first place where a JSON value cannot be stored faithfully: nested too deep, an object with too many properties,
 * a number such as 1e999 that JSON has but IEEE doubles do not (it would come back as null), bytes that came beside
 * the JSON over a socket, or `__proto__`, which a copy of the object may not treat as an ordinary name.
 */
export function findUnstorable(value: unknown, maxDepth: number, path = ''): ValidationIssue | undefined {
  if (isStorable(value, maxDepth)) return undefined
  const found = unstorableWithin(value, maxDepth)
  return found && { ...found, path: path + found.path }
}

/**
 * Runs on all input, so it collects no paths. It does not walk over names either: `for … in` over fresh JSON took a
 * sixth of the main thread under load.
 */
function isStorable(value: unknown, maxDepth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (maxDepth === 0 || isOdd(value)) return false
  const members = Object.values(value)
  if (isTooWide(value, members.length)) return false
  for (const inner of members) if (!isStorable(inner, maxDepth - 1)) return false
  return true
}

const isTooWide = (value: object, members: number): boolean =>
  members > limits.jsonProperties && !Array.isArray(value)

const isOdd = (value: object): boolean => ArrayBuffer.isView(value) || Object.hasOwn(value, '__proto__')

function unstorableWithin(value: unknown, maxDepth: number): ValidationIssue | undefined {
  if (typeof value === 'number' && !Number.isFinite(value))
    return { path: '', message: 'is a number too large to store' }
  if (typeof value !== 'object' || value === null) return undefined
  if (maxDepth === 0) return { path: '', message: 'is nested too deep' }
  if (ArrayBuffer.isView(value)) return { path: '', message: 'is not JSON' }
  if (Object.hasOwn(value, '__proto__'))
    return { path: '/__proto__', message: 'is not a name that may be used' }
  // Names only at first: together with the values, the widest object that fits in a body takes twice as long.
  const names = Object.keys(value)
  if (isTooWide(value, names.length))
    return { path: '', message: `has more than ${limits.jsonProperties} properties` }
  for (const key of names) {
    const found = unstorableWithin(value[key as keyof typeof value], maxDepth - 1)
    if (found) return { ...found, path: `/${key}${found.path}` }
  }
  return undefined
}
