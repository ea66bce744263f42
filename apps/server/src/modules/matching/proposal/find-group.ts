import type { MatchingSettings } from '../matching-settings.ts'
import { anyRole, giveBack, isEmptied, type Kind, type Pool, take, tidy } from './pool.ts'
import type { Queue, Seeker } from './queue.ts'
import { createSeats, type Seats } from './seats.ts'

export interface Wanted {
  /** Searches of one name become only harder within a proposal. */
  name: 'full' | 'short' | 'with_agents'
  least: number
  most: number
  /** Agents may take the seats that the minima need. */
  agentsMayFill: boolean
}

/**
 * One person who cannot be matched must not use up what the others need: a search may cost this part of what is left to
 * its pool, so that something is left for everyone who is easy to match.
 */
const shareOfLooks = 1 / 8
/** Passing over somebody, as a part of a look. */
const costOfPassing = 1 / 16
/** How far balance looks, in groups. */
const windowInGroups = 4

/**
 * A group with this person, who has been taken from the pool already, as places in the queue; the others are taken from
 * it. By arrival (or by balance), going back to other choices when the first ones lead nowhere (M17).
 */
export function findGroup(
  queue: Queue,
  { pool, kind: own }: Seeker,
  place: number,
  wanted: Wanted,
  settings: MatchingSettings,
): number[] | null {
  const { least, most, name } = wanted
  if (own.failed.has(name)) return null
  const seats = createSeats(settings, queue.met, most)
  const isPossible = least <= most && pool.free + 1 >= least && seats.fits(own, place)
  if (isPossible) seats.add(own, place)
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
  return seats.places.toSorted((a, b) => a - b)
}

/**
 * Depth first, without recursion: a group may be larger than the stack is deep. When the first way down leads nowhere,
 * the search begins anew and asks at each step whether going on can help: mostly the answer is no at the first one.
 * A search that fails gives everyone back.
 */
function fill(seats: Seats, pool: Pool, wanted: Wanted, windowEnd: number): boolean {
  const { least, most, agentsMayFill } = wanted
  const path: Kind[] = []
  /** What was tried in vain or does not fit, for each length of the path. */
  const tried: Kind[][] = [[]]
  const looksLeft = pool.looks * (1 - shareOfLooks)
  let isCareful = false
  /** The kinds in front of this one have nobody left. */
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
    const isWorthIt =
      seats.places.length < most && pool.looks >= looksLeft && (!isCareful || couldReach(seats, pool, wanted))
    while (isEmptied(pool.kinds[from])) from += 1
    const next = isWorthIt ? bestKind(seats, pool, from, windowEnd, tried.at(-1) ?? []) : null
    if (next) {
      seats.add(next, take(pool, next))
      path.push(next)
      tried.push([])
      continue
    }
    isFound = seats.places.length >= least && (agentsMayFill || seats.minimaHold())
    if (isFound) break
    if (!isCareful) {
      isCareful = true
      while (path.length > 0) goBack()
      continue
    }
    const last = goBack()
    if (!last) break
    last.isBarred = true
    tried.at(-1)?.push(last)
  }
  for (const kind of tried.flat()) kind.isBarred = false
  return isFound
}

/**
 * The oldest who fits; within the window the one who is least like those who sit. Who does not fit now will not fit a
 * larger group either, and is barred for as long as those who sit stay.
 */
function bestKind(seats: Seats, pool: Pool, from: number, windowEnd: number, misfits: Kind[]): Kind | null {
  let best: Kind | null = null
  let bestPlace = Infinity
  let bestLikeness = Infinity
  for (let at = from; at < pool.kinds.length; at += 1) {
    const kind = pool.kinds[at]
    if (!kind || (kind.notBefore > bestPlace && kind.notBefore > windowEnd)) break
    pool.looks -= costOfPassing
    const place = kind.places[kind.taken]
    if (place === undefined || kind.isBarred || (place > bestPlace && place > windowEnd)) continue
    pool.looks -= 1
    if (!seats.fits(kind, place)) {
      kind.isBarred = true
      misfits.push(kind)
      continue
    }
    const likeness = place <= windowEnd ? seats.likeness(kind) : Infinity
    if (likeness > bestLikeness || (likeness === bestLikeness && place > bestPlace)) continue
    best = kind
    bestPlace = place
    bestLikeness = likeness
  }
  return best
}

/**
 * Whether those who still fit are enough. Without this a group that lacks one person would be searched for in every
 * subset of those who are there.
 */
function couldReach(seats: Seats, pool: Pool, { least, agentsMayFill }: Wanted): boolean {
  const supply = pool.supply.map(() => 0)
  let supplyOfAny = 0
  let people = seats.places.length
  pool.looks -= pool.kinds.length
  for (const kind of pool.kinds) {
    const place = kind.places[kind.taken]
    if (place === undefined || kind.isBarred || !seats.fits(kind, place)) continue
    const many = kind.unshared.length > 0 ? 1 : kind.places.length - kind.taken
    people += many
    if (kind.role === anyRole) supplyOfAny += many
    else supply[kind.role] = (supply[kind.role] ?? 0) + many
  }
  return people >= least && (agentsMayFill || seats.minimaCouldHold(supply, supplyOfAny))
}

/** The place of the last of the first so many who are free. */
function endOfWindow({ isGone }: Queue, pool: Pool, people: number): number {
  while (pool.passed < pool.places.length && isGone[pool.places[pool.passed] ?? 0]) pool.passed += 1
  let end = -1
  let seen = 0
  for (let at = pool.passed; at < pool.places.length && seen < people; at += 1) {
    const place = pool.places[at] ?? 0
    if (isGone[place]) continue
    end = place
    seen += 1
  }
  return end
}
