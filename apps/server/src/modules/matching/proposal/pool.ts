/** What a proposal may cost: a few dozen milliseconds for 2,000 people who are as hard to match as possible, usually far less. */
const fewestLooks = 40_000
const looksPerPerson = 250
const tidyAfter = 64

/** Stands for the role of people who take any. */
export const anyRole = -1

/** The properties of a person that matching considers. */
export interface Likeness {
  /** Which of the declared roles, or `anyRole`. */
  role: number
  /** Values that must not occur twice in a group, as numbers, by exclusion. */
  unshared: readonly number[]
  /** Values to mix, as numbers, by attribute. */
  balanced: readonly number[]
  /** Parts of a group that the person fits, as bits; 0 where groups have no parts. */
  parts: number
}

/**
 * People who differ only by arrival. Looking at kinds instead of people keeps the search short: what fails with one of a
 * kind fails with all of them.
 */
export interface Kind extends Likeness {
  /** Indexes into the queue, by arrival. */
  indexes: number[]
  /** How many of them are taken, counted from the front. */
  taken: number
  /** The oldest person left is not before this index. */
  notBefore: number
  /** The current search can skip this kind: it was tried without success, or does not fit. */
  isBarred: boolean
  /** Searches that failed for one of the kind. There are only ever fewer people, so they fail for the rest as well. */
  failed: Set<string>
}

/** People who may share a room as far as `different` is concerned; people of different pools never meet. */
export interface Pool {
  /** By `notBefore`. */
  kinds: Kind[]
  /** Kinds that have nobody left. */
  emptied: number
  /** Everyone's index in the queue, by arrival, and how many of them, from the front, are known to be gone. */
  indexes: number[]
  passed: number
  free: number
  /** People for whom no group was found; they are not free any more. */
  unmatched: number
  /** How many of the free people have each role, and how many take any. */
  supply: number[]
  supplyOfAny: number
  /** What searching may cost in total, and what is left of it, counted in looks at a person (M17). */
  allowance: number
  looks: number
}

export const emptyPool = (roles: number): Pool => ({
  kinds: [],
  emptied: 0,
  indexes: [],
  passed: 0,
  free: 0,
  unmatched: 0,
  supply: new Array<number>(roles).fill(0),
  supplyOfAny: 0,
  allowance: fewestLooks,
  looks: fewestLooks,
})

/** Opens a kind whose first member has this index. */
export function openKind(pool: Pool, likeness: Likeness, notBefore: number): Kind {
  const kind = { ...likeness, indexes: [], taken: 0, notBefore, isBarred: false, failed: new Set<string>() }
  pool.kinds.push(kind)
  return kind
}

/** Adds the most recent arrival. */
export function append(pool: Pool, kind: Kind, index: number): void {
  kind.indexes.push(index)
  pool.indexes.push(index)
  pool.allowance += looksPerPerson
  pool.looks += looksPerPerson
  count(pool, kind.role, 1)
}

/** Takes the oldest of a kind and returns their index in the queue. */
export function take(pool: Pool, kind: Kind): number {
  const index = kind.indexes[kind.taken] ?? 0
  kind.taken += 1
  if (isEmptied(kind)) pool.emptied += 1
  count(pool, kind.role, -1)
  return index
}

export function giveBack(pool: Pool, kind: Kind): void {
  if (isEmptied(kind)) pool.emptied -= 1
  kind.taken -= 1
  count(pool, kind.role, 1)
}

export const isEmptied = (kind: Kind | undefined): boolean =>
  kind !== undefined && kind.taken === kind.indexes.length

/** Drops kinds that have nobody left. Only now and then, because checking all of them for each group would cost more. */
export function tidy(pool: Pool): void {
  if (pool.emptied < tidyAfter) return
  pool.kinds = pool.kinds.filter((kind) => !isEmptied(kind))
  for (const kind of pool.kinds) kind.notBefore = kind.indexes[kind.taken] ?? kind.notBefore
  pool.kinds.sort((one, other) => one.notBefore - other.notBefore)
  pool.emptied = 0
}

function count(pool: Pool, role: number, by: 1 | -1): void {
  pool.free += by
  if (role === anyRole) pool.supplyOfAny += by
  else pool.supply[role] = (pool.supply[role] ?? 0) + by
}
