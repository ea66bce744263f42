import { anyRole } from '@atrium/contract'
import type { RoleQuota } from '../matching-settings.ts'

export const takesAny = anyRole

/**
 * M12: a role for each seat of a group, in order. Whoever wants a declared role gets it; the others get the first role
 * whose minimum is unmet, then the role with the fewest members that has space.
 */
export function assignRoles(wanted: readonly string[], quotas: readonly RoleQuota[]): string[] {
  const members = countDeclared(wanted, quotas)
  const seated = ({ id }: RoleQuota) => members.get(id) ?? 0
  return wanted.map((role) => {
    if (isDeclared(role, quotas)) return role
    const open = quotas.filter((quota) => seated(quota) < quota.max)
    const chosen =
      quotas.find((quota) => seated(quota) < quota.min) ??
      open.toSorted((one, other) => seated(one) - seated(other))[0]
    if (!chosen) return takesAny
    members.set(chosen.id, seated(chosen) + 1)
    return chosen.id
  })
}

/** How many more seats the minima need than these people can fill. */
export function unmetMinima(wanted: readonly string[], quotas: readonly RoleQuota[]): number {
  const members = countDeclared(wanted, quotas)
  const missing = quotas.reduce((sum, { id, min }) => sum + Math.max(0, min - (members.get(id) ?? 0)), 0)
  const takers = wanted.filter((role) => !isDeclared(role, quotas)).length
  return Math.max(0, missing - takers)
}

export const isDeclared = (role: string, quotas: readonly RoleQuota[]): boolean =>
  role !== takesAny && quotas.some(({ id }) => id === role)

function countDeclared(wanted: readonly string[], quotas: readonly RoleQuota[]): Map<string, number> {
  const members = new Map<string, number>()
  for (const role of wanted) if (isDeclared(role, quotas)) members.set(role, (members.get(role) ?? 0) + 1)
  return members
}
