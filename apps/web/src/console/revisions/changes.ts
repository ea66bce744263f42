import { isObject, type Path, pointerOf } from '../builder/core/document.ts'

/** What became different between two definitions. */
export interface Change {
  kind: 'added' | 'removed' | 'moved' | 'changed'
  /** Of the place in the later definition; in the earlier one if something was removed. */
  pointer: string
  before?: unknown
  after?: unknown
}

/**
 * Parts that have ids, such as states and components, are compared with the parts of the same id, wherever they stand;
 * everything else by its place.
 */
export function changesBetween(before: unknown, after: unknown): Change[] {
  return compare(before, after, [], [])
}

function compare(before: unknown, after: unknown, was: Path, is: Path): Change[] {
  if (isObject(before) && isObject(after)) return compareObjects(before, after, was, is)
  if (Array.isArray(before) && Array.isArray(after)) {
    const [earlier, later] = [idsIn(before), idsIn(after)]
    if (earlier && later) return compareParts({ before, after, earlier, later }, was, is)
  }
  return isSame(before, after) ? [] : [{ kind: 'changed', pointer: pointerOf(is), before, after }]
}

function compareObjects(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  was: Path,
  is: Path,
): Change[] {
  const names = [...Object.keys(after), ...Object.keys(before).filter((name) => !Object.hasOwn(after, name))]
  return names.flatMap((name): Change[] => {
    if (!Object.hasOwn(before, name))
      return [{ kind: 'added', pointer: pointerOf([...is, name]), after: after[name] }]
    if (!Object.hasOwn(after, name))
      return [{ kind: 'removed', pointer: pointerOf([...was, name]), before: before[name] }]
    return compare(before[name], after[name], [...was, name], [...is, name])
  })
}

interface Parts {
  before: readonly unknown[]
  after: readonly unknown[]
  /** Their ids, in order. */
  earlier: readonly string[]
  later: readonly string[]
}

function compareParts({ before, after, earlier, later }: Parts, was: Path, is: Path): Change[] {
  // Not searched for in the lists: a setting may hold tens of thousands of parts.
  const places = new Map(earlier.map((id, at) => [id, at]))
  const remaining = new Set(later)
  const moved = movedAmong(
    later.filter((id) => places.has(id)),
    places,
  )
  return [
    ...later.flatMap((id, at): Change[] => {
      const from = places.get(id)
      const pointer = pointerOf([...is, at])
      if (from === undefined) return [{ kind: 'added', pointer, after: after[at] }]
      const inside = compare(before[from], after[at], [...was, from], [...is, at])
      return moved.has(id) ? [{ kind: 'moved', pointer }, ...inside] : inside
    }),
    ...earlier.flatMap((id, at): Change[] =>
      remaining.has(id) ? [] : [{ kind: 'removed', pointer: pointerOf([...was, at]), before: before[at] }],
    ),
  ]
}

/** As few as explain the new order: what is not in the longest row that kept its order. */
function movedAmong(later: readonly string[], places: ReadonlyMap<string, number>): Set<string> {
  const placeAt = (at: number | undefined): number => places.get(later[at ?? -1] ?? '') ?? -1
  /** For each length, the index in `later` with which a row of that length ends earliest. */
  const ends: number[] = []
  const comesAfter: (number | undefined)[] = []
  for (const at of later.keys()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (placeAt(ends[middle]) < placeAt(at)) low = middle + 1
      else high = middle
    }
    comesAfter.push(ends[low - 1])
    ends[low] = at
  }
  const moved = new Set(later)
  for (let at = ends.at(-1); at !== undefined; at = comesAfter[at]) moved.delete(later[at] ?? '')
  return moved
}

/** Undefined unless every item has an id of its own. */
function idsIn(list: readonly unknown[]): string[] | undefined {
  const ids = list.map((item) => (isObject(item) && typeof item.id === 'string' ? item.id : undefined))
  return ids.every((id) => id !== undefined) && new Set(ids).size === ids.length ? ids : undefined
}

/** The order of properties means nothing. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]))
  if (!isObject(one) || !isObject(other)) return one === other
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  )
}
