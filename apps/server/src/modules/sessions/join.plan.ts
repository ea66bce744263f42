import type { ExperimentStatus } from '@atrium/contract'

export interface JoinFacts {
  experimentStatus: ExperimentStatus
  capacity: number | null
  participantCount: number
  /** The person's newest participation in this experiment. */
  participation: { completed: boolean; needsPlace: boolean } | undefined
  allowRepeat: boolean
}

export type ClosedReason = 'status' | 'full' | 'already_completed'

export type JoinPlan =
  | { kind: 'resume' }
  /** Resumes, with a place that must be taken anew: the former one was given back (R56). */
  | { kind: 'return' }
  | { kind: 'enter' }
  | { kind: 'closed'; reason: ClosedReason }

/**
 * R14, R22: who is in may come back while the experiment is paused or closed (a reload must not lose data that
 * cannot be collected twice); who is new enters only while it recruits and has room.
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
  return { kind: 'enter' }
}
