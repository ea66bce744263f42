import {
  type deadlinePolicies,
  type ExperimentDefinition,
  elseOf,
  groupSizeOf,
  limits,
  type Matching,
  type RoleQuota,
  rolesOfPeople,
} from '@atrium/contract'

export type { RoleQuota }

/** An experiment's matching with every default filled in. */
export interface MatchingSettings {
  min: number
  max: number
  deadlineMs: number | null
  onDeadline: (typeof deadlinePolicies)[number]
  /** R68: where people go at the deadline who have no group; null if only `onDeadline` says. */
  elsewhere: NonNullable<ReturnType<typeof elseOf>> | null
  roles: readonly RoleQuota[]
  filters: NonNullable<Matching['filters']>
  balance: readonly string[]
  exclusions: NonNullable<Matching['exclusions']>
  /** M23: what a group consists of; anybody where there are no parts. */
  compose: NonNullable<Matching['compose']>
}

export function matchingSettingsOf(definition: ExperimentDefinition): MatchingSettings {
  const { matching } = definition
  return {
    ...groupSizeOf(definition),
    deadlineMs: matching?.deadlineMs ?? null,
    onDeadline: typeof matching?.onDeadline === 'object' ? 'end_paid' : (matching?.onDeadline ?? 'wait'),
    elsewhere: elseOf(matching) ?? null,
    roles: rolesOfPeople(definition).map((role) => ({
      ...role,
      min: Math.min(role.min, limits.definition.groupSize),
    })),
    filters: matching?.filters ?? [],
    balance: matching?.balance ?? [],
    exclusions: matching?.exclusions ?? [],
    compose: matching?.compose ?? [],
  }
}

/** The maxima of the roles may add up to fewer people than the group may have. */
export function largestGroup({ max, roles }: MatchingSettings): number {
  if (roles.length === 0) return max
  return Math.min(
    max,
    roles.reduce((sum, role) => sum + role.max, 0),
  )
}
