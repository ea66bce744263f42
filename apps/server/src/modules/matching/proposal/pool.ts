/** What a proposal may cost: a few dozen milliseconds for 2,000 people who are as hard to match as can be, else far less. */
const fewestLooks = 40_000
const looksPerPerson = 250
const tidyAfter = 64

/** Stands for the role of who takes any. */
export const anyRole = -1

/** What matching sees of somebody. */
export interface Likeness {
  /** Which of the declared roles, or `anyRole`. */
  role: number
  /** The values that must not be twice in a group, as numbers, by exclusion. */
  unshared: readonly number[]
  /** The values to mix, as numbers, by attribute. */
  balanced: readonly number[]
}

/**
 * People whom matching cannot tell apart but by arrival. Looking at kinds instead of people is what keeps the search
 * short: what fails with one of a kind fails with all of them.
 */
export interface Kind extends Likeness {
  /** Places in the queue, by arrival. */
  places: number[]
  /** How many of them, from the front, are taken. */
  taken: number
  /** The oldest who is left is not in front of this place. */
  notBefore: number
  /** The present search need not look at this kind: it was tried in vain, or does not fit. */
  isBarred: boolean
  /** Searches that failed for one of the kind: people only become fewer, so they fail for the rest. */
  failed: Set<string>
}

/** People who could share a room as far as `different` goes: who are in two pools never meet. */
export interface Pool {
  /** By `notBefore`. */
  kinds: Kind[]
  /** Kinds that have nobody left. */
  emptied: number
  /** Everyone's place in the queue, by arrival, and how many of them, from the front, are known to be gone. */
  places: number[]
  passed: number
  free: number
  /** How many of the free have each role, and how many take any. */
  supply: number[]
  supplyOfAny: number
  /** What searching may cost, and what of it is left, in looks at somebody (M17). */
  allowance: number
  looks: number
}

export const emptyPool = (roles: number): Pool => ({
  kinds: [],
  emptied: 0,
  places: [],
  passed: 0,
  free: 0,
  supply: new Array<number>(roles).fill(0),
  supplyOfAny: 0,
  allowance: fewestLooks,
  looks: fewestLooks,
})

/** A kind of which somebody at this place is the first. */
export function openKind(pool: Pool, likeness: Likeness, notBefore: number): Kind {
  const kind = { ...likeness, places: [], taken: 0, notBefore, isBarred: false, failed: new Set<string>() }
  pool.kinds.push(kind)
  return kind
}

/** Adds somebody who came after all the others. */
export function append(pool: Pool, kind: Kind, place: number): void {
  kind.places.push(place)
  pool.places.push(place)
  pool.allowance += looksPerPerson
  pool.looks += looksPerPerson
  count(pool, kind.role, 1)
}

/** Takes the oldest of a kind; their place in the queue. */
export function take(pool: Pool, kind: Kind): number {
  const place = kind.places[kind.taken] ?? 0
  kind.taken += 1
  if (isEmptied(kind)) pool.emptied += 1
  count(pool, kind.role, -1)
  return place
}

export function giveBack(pool: Pool, kind: Kind): void {
  if (isEmptied(kind)) pool.emptied -= 1
  kind.taken -= 1
  count(pool, kind.role, 1)
}

export const isEmptied = (kind: Kind | undefined): boolean =>
  kind !== undefined && kind.taken === kind.places.length

/** Lets go of kinds that have nobody left. Now and then, because looking at all of them for each group would cost more. */
export function tidy(pool: Pool): void {
  if (pool.emptied < tidyAfter) return
  pool.kinds = pool.kinds.filter((kind) => !isEmptied(kind))
  for (const kind of pool.kinds) kind.notBefore = kind.places[kind.taken] ?? kind.notBefore
  pool.kinds.sort((one, other) => one.notBefore - other.notBefore)
  pool.emptied = 0
}

function count(pool: Pool, role: number, by: 1 | -1): void {
  pool.free += by
  if (role === anyRole) pool.supplyOfAny += by
  else pool.supply[role] = (pool.supply[role] ?? 0) + by
}
