import type { MatchingSettings } from '../matching-settings.ts'
import { anyRole, type Kind } from './pool.ts'
import type { Queue } from './queue.ts'

export type Seats = ReturnType<typeof createSeats>

/** A group that is being formed: who sits in it, and who could still sit down. */
export function createSeats(
  { roles, exclusions, balance }: MatchingSettings,
  met: Queue['met'],
  most: number,
) {
  const places: number[] = []
  const members = roles.map(() => 0)
  let takesAny = 0
  /** Seats that the minima still need beyond the members who have their role. */
  let shortfall = roles.reduce((sum, { min }) => sum + min, 0)
  // Plain arrays and loops here: this is where a long search spends its time.
  const unshared = exclusions.map((): number[] => [])
  const balanced = balance.map((): number[] => [])

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

  /** A role has space, and what the minima need still finds a seat. Who takes any is never in the way of them. */
  function hasSeatFor(role: number): boolean {
    if (places.length >= most) return false
    if (role === anyRole) return true
    const quota = roles[role]
    const seated = members[role] ?? 0
    if (!quota || seated < quota.min) return true
    return seated < quota.max && shortfall < takesAny + most - places.length
  }

  function knowsAnyone(place: number): boolean {
    const partners = met.get(place)
    return partners !== undefined && places.some((member) => partners.has(member))
  }

  return {
    places,
    fits: (kind: Kind, place: number): boolean =>
      hasSeatFor(kind.role) &&
      (kind.unshared.length === 0 || inCommon(unshared, kind.unshared) === 0) &&
      !knowsAnyone(place),
    add(kind: Kind, place: number): void {
      places.push(place)
      seat(kind, 1)
    },
    remove(kind: Kind): void {
      places.pop()
      seat(kind, -1)
    },
    /** How much of the mixed attributes this kind has in common with those who sit. */
    likeness: (kind: Kind): number => inCommon(balanced, kind.balanced),
    minimaHold: (): boolean => shortfall <= takesAny,
    /** Whether so many more of each role, and of those who take any, could meet the minima. */
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
