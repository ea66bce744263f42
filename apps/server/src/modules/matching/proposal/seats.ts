import type { MatchingSettings } from '../matching-settings.ts'
import { createComposition } from './composition.ts'
import { type ByParts, mostPeople } from './most-people.ts'
import { anyRole, type Kind } from './pool.ts'
import type { Queue } from './queue.ts'

export type Seats = ReturnType<typeof createSeats>

/** A group being formed: who is seated, and who could still be. */
export function createSeats(
  { roles, exclusions, balance, compose }: MatchingSettings,
  met: Queue['met'],
  max: number,
) {
  const indexes: number[] = []
  const members = roles.map(() => 0)
  let takesAny = 0
  /** Seats that the minima still need, beyond the members who have the role already. */
  let shortfall = roles.reduce((sum, { min }) => sum + min, 0)
  // Plain arrays and loops here: this is where a long search spends its time.
  const unshared = exclusions.map((): number[] => [])
  const balanced = balance.map((): number[] => [])
  const composition = compose.length > 0 ? createComposition(compose.map(({ count }) => count)) : null

  /** Those who are seated, by the parts that they fit. */
  const seated: ByParts = new Map()
  function countAs(parts: number, by: 1 | -1): void {
    if (composition) seated.set(parts, (seated.get(parts) ?? 0) + by)
  }

  function seat(kind: Kind, by: 1 | -1): void {
    tally(unshared, kind.unshared, by)
    tally(balanced, kind.balanced, by)
    if (kind.role === anyRole) {
      takesAny += by
      return
    }
    const before = members[kind.role] ?? 0
    members[kind.role] = before + by
    const min = roles[kind.role]?.min ?? 0
    if (Math.min(before, before + by) < min) shortfall -= by
  }

  /** The role has space, and the minima can still be met. People who take any role are never in their way. */
  function hasSeatFor(role: number): boolean {
    if (indexes.length >= max) return false
    if (role === anyRole) return true
    const quota = roles[role]
    const seated = members[role] ?? 0
    if (!quota || seated < quota.min) return true
    return seated < quota.max && shortfall < takesAny + max - indexes.length
  }

  function knowsAnyone(index: number): boolean {
    const partners = met.get(index)
    return partners !== undefined && indexes.some((member) => partners.has(member))
  }

  return {
    indexes,
    /** How many parts a place may have to be found in. */
    parts: compose.length,
    /** M28: without roles and pairs that are kept apart, taking anybody who fits leads to as large a group as any choice. */
    isFirstChoiceBest: roles.length === 0 && unshared.length === 0 && met.size === 0,
    fits: (kind: Kind, index: number): boolean =>
      hasSeatFor(kind.role) &&
      (composition?.hasPlaceFor(kind.parts) ?? true) &&
      (kind.unshared.length === 0 || inCommon(unshared, kind.unshared) === 0) &&
      !knowsAnyone(index),
    add(kind: Kind, index: number): void {
      indexes.push(index)
      seat(kind, 1)
      composition?.add(kind.parts)
      countAs(kind.parts, 1)
    },
    remove(kind: Kind): void {
      indexes.pop()
      seat(kind, -1)
      composition?.remove(kind.parts)
      countAs(kind.parts, -1)
    },
    /** How much of the mixed attributes this kind has in common with those seated. */
    likeness: (kind: Kind): number => inCommon(balanced, kind.balanced),
    /** How many people the group could have with this supply, where it has parts. */
    mostWith: (supply: ReadonlyMap<number, ByParts>) =>
      mostPeople({
        counts: compose.map(({ count }) => count),
        seated,
        roles: roles.map(({ min, max }, role) => {
          const of = members[role] ?? 0
          return { needed: Math.max(0, min - of), more: max - Math.max(of, min) }
        }),
        spare: takesAny + max - indexes.length - shortfall,
        supply,
      }),
    minimaHold: (): boolean => shortfall <= takesAny,
    /** Whether this supply of each role, and of people who take any, could meet the minima. */
    minimaCouldHold(supply: readonly number[], supplyOfAny: number): boolean {
      const missing = roles.reduce(
        (sum, { min }, role) => sum + Math.max(0, min - (members[role] ?? 0) - (supply[role] ?? 0)),
        0,
      )
      return missing <= takesAny + supplyOfAny
    },
  }
}

/** How many members have each value, by attribute. */
type Tallies = number[][]

function tally(tallies: Tallies, values: readonly number[], by: 1 | -1): void {
  for (let index = 0; index < values.length; index += 1) {
    const counts = tallies[index] ?? []
    const value = values[index] ?? 0
    counts[value] = (counts[value] ?? 0) + by
  }
}

function inCommon(tallies: Tallies, values: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < values.length; index += 1) sum += tallies[index]?.[values[index] ?? 0] ?? 0
  return sum
}
