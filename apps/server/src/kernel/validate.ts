import { limits, type SchemaError, sentencesOf, type ValidationIssue } from '@atrium/contract'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

const mostIssues = 20

interface Checker {
  Check(value: unknown): boolean
  Errors(value: unknown): SchemaError[]
}

/** What is wrong with a value, as sentences with places; empty when nothing is. */
export function issuesOf(checker: Checker, value: unknown, at = ''): ValidationIssue[] {
  if (checker.Check(value)) return []
  const issues = new Map<string, ValidationIssue>()
  for (const error of checker.Errors(value)) {
    if (issues.size === mostIssues) break
    for (const issue of sentencesOf(error, at)) issues.set(issue.path + issue.message, issue)
  }
  return [...issues.values()]
}

export interface Parser<Value> {
  /** The issues when the value does not fit, and the value itself, typed, when it does. */
  parse(value: unknown): { ok: true; value: Value } | { ok: false; issues: ValidationIssue[] }
}

/**
 * A parser for what comes from outside. Depth is asked first: whatever follows, the schema's own check and
 * JSON.stringify included, may then go through the value level by level without overflowing the stack.
 */
export function parserFor<Schema extends TSchema>(schema: Schema): Parser<Static<Schema>> {
  const compiled = Compile(schema)
  return {
    parse(value) {
      const unstorable = findUnstorable(value, limits.jsonDepth)
      if (unstorable) return { ok: false, issues: [unstorable] }
      return compiled.Check(value)
        ? { ok: true, value: value as Static<Schema> }
        : { ok: false, issues: issuesOf(compiled as Checker, value) }
    },
  }
}

/**
 * The first place that a JSON value cannot be stored faithfully: nested too deep, a number such as 1e999 that JSON has
 * but IEEE doubles do not (it would come back as null), bytes that came beside the JSON over a socket, or `__proto__`,
 * which a copy of the object may take for something else than a name.
 */
export function findUnstorable(value: unknown, maxDepth: number, path = ''): ValidationIssue | undefined {
  if (isStorable(value, maxDepth)) return undefined
  const found = unstorableWithin(value, maxDepth)
  return found && { ...found, path: path + found.path }
}

/**
 * Asked of everything that comes in, so it names no places. Nor does it walk over names: `for … in` over fresh JSON
 * took a sixth of the main thread under load.
 */
function isStorable(value: unknown, maxDepth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (maxDepth === 0 || isOdd(value)) return false
  for (const inner of Object.values(value)) if (!isStorable(inner, maxDepth - 1)) return false
  return true
}

const isOdd = (value: object): boolean => ArrayBuffer.isView(value) || Object.hasOwn(value, '__proto__')

function unstorableWithin(value: unknown, maxDepth: number): ValidationIssue | undefined {
  if (typeof value === 'number' && !Number.isFinite(value))
    return { path: '', message: 'is a number too large to store' }
  if (typeof value !== 'object' || value === null) return undefined
  if (maxDepth === 0) return { path: '', message: 'is nested too deep' }
  if (ArrayBuffer.isView(value)) return { path: '', message: 'is not JSON' }
  if (Object.hasOwn(value, '__proto__'))
    return { path: '/__proto__', message: 'is not a name that may be used' }
  for (const [key, inner] of Object.entries(value)) {
    const found = unstorableWithin(inner, maxDepth - 1)
    if (found) return { ...found, path: `/${key}${found.path}` }
  }
  return undefined
}
