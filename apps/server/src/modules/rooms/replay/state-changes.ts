/**
 * What has changed between two states of a room, as JSON: a new value, or what changed within an object or a list. Lists of
 * a room grow at their end and lose their beginning, as its messages do.
 */
export type Change =
  | { to: unknown }
  | { in: Record<string, Change>; without?: string[] }
  | { dropped: number; at?: Record<string, Change>; added: unknown[] }

/** Both are JSON, without undefined. Null when they are the same. */
export function changeBetween(before: unknown, after: unknown): Change | null {
  if (before === after) return null
  if (Array.isArray(before) && Array.isArray(after)) return changeOfList(before, after)
  if (isRecord(before) && isRecord(after)) return changeOfRecord(before, after)
  return { to: after }
}

function changeOfRecord(before: Record<string, unknown>, after: Record<string, unknown>): Change | null {
  const changed = new Map<string, Change>()
  for (const [key, value] of Object.entries(after)) {
    const change = Object.hasOwn(before, key) ? changeBetween(before[key], value) : { to: value }
    if (change) changed.set(key, change)
  }
  const without = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  if (changed.size === 0 && without.length === 0) return null
  return { in: Object.fromEntries(changed), ...(without.length > 0 && { without }) }
}

function changeOfList(before: readonly unknown[], after: readonly unknown[]): Change | null {
  const dropped = after.length === 0 ? before.length : droppedFrom(before, after[0])
  const kept = before.slice(dropped)
  if (kept.length > after.length) return { to: after }
  const changes = kept.flatMap((value, index): [string, Change][] => {
    const change = changeBetween(value, after[index])
    return change ? [[String(index), change]] : []
  })
  const added = after.slice(kept.length)
  if (dropped === 0 && changes.length === 0 && added.length === 0) return null
  return { dropped, ...(changes.length > 0 && { at: Object.fromEntries(changes) }), added }
}

/** Where what comes first now has been; 0 if it is nowhere, because the first one has changed. */
const droppedFrom = (before: readonly unknown[], first: unknown): number =>
  Math.max(
    before.findIndex((value) => changeBetween(value, first) === null),
    0,
  )

/** The value after the change; what has not changed is shared with the value before. */
export function applyChange(value: unknown, change: Change | null): unknown {
  if (!change) return value
  if ('to' in change) return change.to
  if ('in' in change) {
    const changed = Object.entries(change.in).map(([key, one]) => [
      key,
      applyChange(isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined, one),
    ])
    const kept = Object.entries(isRecord(value) ? value : {}).filter(
      ([key]) => !change.without?.includes(key) && !Object.hasOwn(change.in, key),
    )
    return Object.fromEntries([...kept, ...changed])
  }
  const kept = (Array.isArray(value) ? value : []).slice(change.dropped)
  return [...kept.map((one, index) => applyChange(one, change.at?.[index] ?? null)), ...change.added]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
