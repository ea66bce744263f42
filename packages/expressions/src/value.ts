import { spend, type Work } from './work.ts'

/** The values of variables, responses and expressions: JSON. */
export type Value = number | string | boolean | null | Value[] | { [key: string]: Value }

/**
 * Results are kept small, because they are stored with the room: `x = [x, x]` in a loop would double a snapshot in every
 * round, and `x = x + x` would end in a string too long for the engine.
 */
export const valueLimits = { listItems: 10_000, textLength: 100_000, size: 100_000, depth: 32 } as const

export const isRecord = (value: Value): value is { [key: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As in JavaScript: false, null, 0 and the empty text are falsy; everything else is truthy, even an empty list. */
export const isTruthy = (value: Value): boolean =>
  value !== null && value !== false && value !== 0 && value !== ''

/** NaN and infinity become null; minus zero becomes zero, because JSON cannot tell them apart after a restart. */
export const finite = (value: number): number | null =>
  Number.isFinite(value) ? (value === 0 ? 0 : value) : null

/** Compares by value, without coercion, down to the depth that results may have. */
export function areEqual(a: Value, b: Value, work: Work, depth = 0): boolean {
  const isText = typeof a === 'string' && typeof b === 'string'
  if (!spend(work, isText ? 1 / 4 + Math.min(a.length, b.length) / 64 : 1 / 4)) return false
  if (a === b) return true
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    return (
      depth >= valueLimits.depth ||
      a.every((item, index) => areEqual(item, b[index] ?? null, work, depth + 1))
    )
  }
  if (!isRecord(a) || !isRecord(b)) return false
  const keys = Object.keys(a)
  spend(work, keys.length)
  if (keys.length !== Object.keys(b).length) return false
  if (!keys.every((key) => Object.hasOwn(b, key))) return false
  return (
    depth >= valueLimits.depth ||
    keys.every((key) => areEqual(a[key] ?? null, b[key] ?? null, work, depth + 1))
  )
}

/** Equal values have equal fingerprints, so that duplicates are found in one pass. */
export function fingerprint(value: Value, work: Work, depth = 0): string {
  if (!spend(work, typeof value === 'string' ? 2 + value.length / 16 : 2)) return ''
  if (Array.isArray(value)) {
    if (depth >= valueLimits.depth) return `[${value.length}…]`
    return `[${value.map((item) => fingerprint(item, work, depth + 1)).join()}]`
  }
  if (!isRecord(value)) return JSON.stringify(value)
  const fields = Object.keys(value)
    .sort()
    .map((key) => {
      const field = depth >= valueLimits.depth ? '…' : fingerprint(value[key] ?? null, work, depth + 1)
      return `${JSON.stringify(key)}:${field}`
    })
  return `{${fields.join()}}`
}

/** The value, or null if it is too large for a result. */
export const bounded = (value: Value, work: Work): Value =>
  roomLeft(value, valueLimits.size, work, 0) >= 0 ? value : null

/** The rest of a budget of items and characters; negative if it is exceeded. */
function roomLeft(value: Value, budget: number, work: Work, depth: number): number {
  if (typeof value === 'string') return value.length > valueLimits.textLength ? -1 : budget - value.length
  if (typeof value !== 'object' || value === null) return budget - 1
  if (depth >= valueLimits.depth) return -1
  const isList = Array.isArray(value)
  const keys = isList ? [] : Object.keys(value)
  const items = isList ? value : keys.map((key) => value[key] ?? null)
  if (isList && items.length > valueLimits.listItems) return -1
  spend(work, items.length / 8 + keys.length)
  let left = budget - 1 - keys.reduce((sum, key) => sum + key.length, 0)
  for (const item of items) {
    if (left < 0) return -1
    left = roomLeft(item, left, work, depth + 1)
  }
  return left
}
