import {
  anyRole,
  type ExperimentDefinition,
  type ExperimentStatus,
  limits,
  rolesOfPeople,
} from '@atrium/contract'
import { assignCondition } from '@atrium/flow'

export interface JoinFacts {
  experimentStatus: ExperimentStatus
  capacity: number | null
  participantCount: number
  /** The person's newest participation in this experiment. */
  participation: { completed: boolean; needsPlace: boolean } | undefined
  allowRepeat: boolean
  /** R51: a guest, and the experiment is only for people who sign in. */
  needsAccount: boolean
}

export type ClosedReason = 'status' | 'full' | 'already_completed'

export type JoinPlan =
  | { kind: 'resume' }
  /** Resumes, but needs a new place: the former one was given back (R56). */
  | { kind: 'return' }
  | { kind: 'enter' }
  | { kind: 'closed'; reason: ClosedReason }
  | { kind: 'needs_account' }

/**
 * R14, R22: people who have joined can come back while the experiment is paused or closed (a reload must not lose data
 * that cannot be collected twice); newcomers join only while it recruits and has places.
 */
export function planJoin(facts: JoinFacts): JoinPlan {
  const { participation, experimentStatus, capacity, participantCount } = facts
  const isFull = capacity !== null && participantCount >= capacity
  if (participation && !participation.completed) {
    if (experimentStatus === 'archived') return { kind: 'closed', reason: 'status' }
    if (!participation.needsPlace) return { kind: 'resume' }
    return isFull ? { kind: 'closed', reason: 'full' } : { kind: 'return' }
  }
  if (participation && !facts.allowRepeat) return { kind: 'closed', reason: 'already_completed' }
  if (experimentStatus !== 'recruiting') return { kind: 'closed', reason: 'status' }
  if (isFull) return { kind: 'closed', reason: 'full' }
  return { kind: facts.needsAccount ? 'needs_account' : 'enter' }
}

/**
 * S30: alone in a room there is no group to fill roles for, so somebody who names no role gets one that the experiment
 * declares. Not if the experiment shows something to `participant`: then that is a role like the others, for people
 * who name none.
 */
export function rolesToDraw(definition: ExperimentDefinition): string[] {
  const { states, globalComponents = [] } = definition
  const roles = rolesOfPeople(definition).map(({ id }) => id)
  if (roles.length === 0 || roles.includes(anyRole)) return []
  const isForAny = (one: { roles?: string[] }): boolean => one.roles?.includes(anyRole) ?? false
  const isNamed =
    globalComponents.some(isForAny) ||
    states.some((state) => isForAny(state) || state.components.some(isForAny))
  return isNamed ? [] : roles
}

/**
 * Each role equally often, in an order of its own: in the order of the conditions, roles and conditions would be
 * confounded.
 */
export const drawRole = (roles: string[], experimentId: string, drawnBefore: number): string | null =>
  assignCondition({ values: roles, assign: 'balanced' }, `${experimentId} roles`, drawnBefore)

type Metadata = Record<string, unknown>

/**
 * S46: a reload may join without the address's parameters, so what the first join knew (a recruiter's id) is kept. Twice
 * what one join may send is enough for both; more is left out, or everybody who joins again and again could store as
 * much each time as all times before together.
 */
export function mergeMetadata(former: Metadata | undefined, sent: Metadata): Metadata {
  const merged = { ...former, ...sent }
  const isTooLarge = Buffer.byteLength(JSON.stringify(merged)) > 2 * limits.metadataBytes
  return former && isTooLarge ? former : merged
}
