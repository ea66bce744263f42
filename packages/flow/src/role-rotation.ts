/** F85: the roles of everyone in a room, and how far each of them moves on from one round to the next. */
export interface RoleRing {
  roles: readonly string[]
  step: number
}

/**
 * Puts the seats in the order of the roles that were declared, and then of their seats. `places` says where in the ring each seat begins.
 * Where two have one role and four another, everyone moves by two places: so whole groups change roles together, and never half of one.
 */
export function roleRingOf(
  matched: readonly string[],
  declared: readonly string[],
): { ring: RoleRing; places: readonly number[] } {
  const rankOf = (role: string): number => {
    const rank = declared.indexOf(role)
    return rank < 0 ? declared.length : rank
  }
  const order = matched
    .map((role, seat) => ({ role, seat }))
    .sort((one, other) => rankOf(one.role) - rankOf(other.role) || one.seat - other.seat)
  const places: number[] = []
  for (const [place, { seat }] of order.entries()) places[seat] = place
  const counts = new Map<string, number>()
  for (const role of matched) counts.set(role, (counts.get(role) ?? 0) + 1)
  return {
    ring: { roles: order.map(({ role }) => role), step: [...counts.values()].reduce(commonDivisor, 0) },
    places,
  }
}

const commonDivisor = (one: number, other: number): number =>
  other === 0 ? one : commonDivisor(other, one % other)

/** The role of whoever began at this place; in round 1 it is the one that they were matched with. */
export const roleInRound = ({ roles, step }: RoleRing, place: number, round: number): string | undefined =>
  roles[(place + step * (round - 1)) % roles.length]
