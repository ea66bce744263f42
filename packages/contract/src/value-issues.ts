import type { TSchema } from 'typebox'
import type { ValidationIssue } from './errors.ts'
import { formIssues } from './form-issues.ts'

const maxIssues = 20

interface Checker {
  Check(value: unknown): boolean
  Type(): TSchema
}

/**
 * TypeBox collects all errors, and in lists compares all pairs: 49,000 zeros took 27 s. Below this limit it takes
 * milliseconds.
 */
const maxMembersExplained = 2_000

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
  if (!explainAnySize && membersLeft(value, maxMembersExplained) < 0)
    return [{ path: at, message: 'does not have the expected form, and is too large to say where' }]
  const issues = formIssues(checker.Type(), value, at).slice(0, maxIssues)
  return issues.length > 0 ? issues : [{ path: at, message: 'does not have the expected form' }]
}

/** The parts of a JSON schema that limit the length of lists. */
interface SchemaShape {
  maxItems?: number
  items?: unknown
  properties?: Record<string, unknown>
}

/** The first list that is longer than its schema allows, searched along properties and items. */
export function findTooLong(schema: unknown, value: unknown): ValidationIssue | undefined {
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

/** `max` minus the number of members in the value, at any depth; stops counting below zero. */
function membersLeft(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return max
  const inner = Object.values(value)
  let left = max - inner.length
  for (const each of inner) {
    if (left < 0) return left
    left = membersLeft(each, left)
  }
  return left
}
