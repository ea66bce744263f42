import type { ExperimentStatus } from '@atrium/contract'

export interface JoinFacts {
  experimentStatus: ExperimentStatus
  capacity: number | null
  participantCount: number
  /** The person's newest participation in this experiment. */
  participation: { completed: boolean } | undefined
  allowRepeat: boolean
}

export type JoinPlan =
  | { kind: 'resume' }
  | { kind: 'enter' }
  | { kind: 'closed'; reason: 'status' | 'full' | 'already_completed' }

/**
 * R14, R22: who is in may come back while the experiment is paused or closed (a reload must not lose data that
 * cannot be collected twice); who is new enters only while it recruits and has room.
 */
export function planJoin(facts: JoinFacts): JoinPlan {
  const { participation, experimentStatus, capacity, participantCount } = facts
  if (participation && !participation.completed)
    return experimentStatus === 'archived' ? { kind: 'closed', reason: 'status' } : { kind: 'resume' }
  if (participation && !facts.allowRepeat) return { kind: 'closed', reason: 'already_completed' }
  if (experimentStatus !== 'recruiting') return { kind: 'closed', reason: 'status' }
  if (capacity !== null && participantCount >= capacity) return { kind: 'closed', reason: 'full' }
  return { kind: 'enter' }
}
