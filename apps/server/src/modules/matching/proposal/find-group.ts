import type { MatchingSettings } from '../matching-settings.ts'
import type { ByParts } from './most-people.ts'
import { anyRole, giveBack, isEmptied, type Kind, type Pool, take, tidy } from './pool.ts'
import type { Queue, Seeker } from './queue.ts'
import { createSeats, type Seats } from './seats.ts'

export interface Wanted {
  /** Within a proposal, searches of one name only get harder. */
  name: 'full' | 'short' | 'with_agents'
  min: number
  max: number
  /** Agents may fill the seats that the minima need. */
  agentsMayFill: boolean
}

/**
 * One person who cannot be matched must not use up the budget of the others: a search may spend this share of what its
 * pool has left, so that something remains for everyone who is easy to match.
 */
const shareOfLooks = 1 / 8
/** The cost of passing over somebody, as a fraction of a look. */
const costOfPassing = 1 / 16
/** How far ahead balance looks, in groups. */
const windowInGroups = 4

/**
 * A group with this person, who has already been taken from the pool, as indexes into the queue; the others are taken from
 * the pool. Chooses by arrival (or by balance), and backtracks when the first choices lead nowhere (M17).
 */
export function findGroup(
  queue: Queue,
  { pool, kind: own }: Seeker,
  index: number,
  wanted: Wanted,
  settings: MatchingSettings,
): number[] | null {
  const { min, max, name } = wanted
  if (own.failed.has(name)) return null
  const seats = createSeats(settings, queue.met, max)
  const isPossible = min <= max && pool.free + 1 >= min && seats.fits(own, index)
  if (isPossible) seats.add(own, index)
  if (!isPossible || !(wanted.agentsMayFill || seats.minimaCouldHold(pool.supply, pool.supplyOfAny))) {
    own.failed.add(name)
    return null
  }
  const windowEnd = settings.balance.length > 0 ? endOfWindow(queue, pool, windowInGroups * settings.max) : -1
  if (!fill(seats, pool, wanted, windowEnd)) {
    own.failed.add(name)
    return null
  }
  tidy(pool)
  return seats.indexes.toSorted((a, b) => a - b)
}

/**
 * Depth first, without recursion: a group may be larger than the stack is deep. When the first descent fails, the search
 * starts over and checks at each step whether continuing can succeed; mostly it cannot, which shows at the first step.
 * A search that fails returns everyone to the pool.
 */
function fill(seats: Seats, pool: Pool, wanted: Wanted, windowEnd: number): boolean {
  const { min, max, agentsMayFill } = wanted
  const path: Kind[] = []
  /** What failed or does not fit, for each length of the path. */
  const tried: Kind[][] = [[]]
  const looksLeft = pool.looks * (1 - shareOfLooks)
  let isCareful = false
  /** Something has led nowhere from here: what parts and roles leave possible is worth finding out. */
  let isInDoubt = false
  /** The kinds before this one have nobody left. */
  let from = 0
  let isFound = false

  function goBack(): Kind | undefined {
    for (const kind of tried.pop() ?? []) kind.isBarred = false
    const last = path.pop()
    if (!last) return undefined
    seats.remove(last)
    giveBack(pool, last)
    from = 0
    return last
  }

  for (;;) {
    pool.looks -= seats.parts
    const isWorthIt =
      seats.indexes.length < max &&
      pool.looks >= looksLeft &&
      (!isCareful || couldReach(seats, pool, wanted, isInDoubt))
    while (isEmptied(pool.kinds[from])) from += 1
    const next = isWorthIt ? bestKind(seats, pool, from, windowEnd, tried.at(-1) ?? []) : null
    if (next) {
      isInDoubt = false
      seats.add(next, take(pool, next))
      path.push(next)
      tried.push([])
      continue
    }
    isFound = seats.indexes.length >= min && (agentsMayFill || seats.minimaHold())
    if (isFound) break
    if (!isCareful) {
      while (path.length > 0) goBack()
      if (seats.isFirstChoiceBest) break
      isCareful = true
      isInDoubt = true
      continue
    }
    const last = goBack()
    if (!last) break
    isInDoubt = true
    last.isBarred = true
    tried.at(-1)?.push(last)
  }
  for (const kind of tried.flat()) kind.isBarred = false
  return isFound
}

/**
 * The oldest person who fits; within the window, the one who is least like those already seated. Whoever does not fit now
 * will not fit a larger group either, and is barred as long as those who are seated stay.
 */
function bestKind(seats: Seats, pool: Pool, from: number, windowEnd: number, misfits: Kind[]): Kind | null {
  let best: Kind | null = null
  let bestIndex = Infinity
  let bestLikeness = Infinity
  for (let at = from; at < pool.kinds.length; at += 1) {
    const kind = pool.kinds[at]
    if (!kind || (kind.notBefore > bestIndex && kind.notBefore > windowEnd)) break
    pool.looks -= costOfPassing
    const index = kind.indexes[kind.taken]
    if (index === undefined || kind.isBarred || (index > bestIndex && index > windowEnd)) continue
    pool.looks -= 1
    if (!seats.fits(kind, index)) {
      kind.isBarred = true
      misfits.push(kind)
      continue
    }
    const likeness = index <= windowEnd ? seats.likeness(kind) : Infinity
    if (likeness > bestLikeness || (likeness === bestLikeness && index > bestIndex)) continue
    best = kind
    bestIndex = index
    bestLikeness = likeness
  }
  return best
}

/**
 * Whether enough people still fit. Without this, a group that lacks one person would be searched for in every subset of
 * those available.
 */
function couldReach(seats: Seats, pool: Pool, { min, agentsMayFill }: Wanted, isInDoubt: boolean): boolean {
  const supply = pool.supply.map(() => 0)
  const supplyByParts = new Map<number, ByParts>()
  let supplyOfAny = 0
  let people = seats.indexes.length
  pool.looks -= pool.kinds.length
  for (const kind of pool.kinds) {
    const index = kind.indexes[kind.taken]
    if (index === undefined || kind.isBarred || !seats.fits(kind, index)) continue
    const many = kind.unshared.length > 0 ? 1 : kind.indexes.length - kind.taken
    people += many
    if (seats.parts > 0 && isInDoubt) addTo(supplyByParts, kind, many)
    if (kind.role === anyRole) supplyOfAny += many
    else supply[kind.role] = (supply[kind.role] ?? 0) + many
  }
  if (people < min || !(agentsMayFill || seats.minimaCouldHold(supply, supplyOfAny))) return false
  if (seats.parts === 0 || !isInDoubt) return true
  const most = seats.mostWith(supplyByParts)
  pool.looks -= most.steps * costOfPassing
  return most.people >= min
}

function addTo(supply: Map<number, ByParts>, { role, parts }: Kind, many: number): void {
  const ofRole = supply.get(role) ?? new Map<number, number>()
  ofRole.set(parts, (ofRole.get(parts) ?? 0) + many)
  supply.set(role, ofRole)
}

/** Index of the last of the first `count` free participants. */
function endOfWindow({ isGone }: Queue, pool: Pool, count: number): number {
  while (pool.passed < pool.indexes.length && isGone[pool.indexes[pool.passed] ?? 0]) pool.passed += 1
  let end = -1
  let seen = 0
  for (let at = pool.passed; at < pool.indexes.length && seen < count; at += 1) {
    const index = pool.indexes[at] ?? 0
    if (isGone[index]) continue
    end = index
    seen += 1
  }
  return end
}
