import type { WaitingStatus } from '@atrium/contract'
import { estimateWaitMs, type MatchingSettings, neededFor } from '../matching/index.ts'

export interface Standing {
  experimentId: string
  position: number
  arrivedAt: number
  /** People waiting for the experiment. */
  waiting: number
  settings: MatchingSettings
  recentArrivals: readonly number[]
  /** Whether any instance has capacity for a group now. */
  hasCapacity: boolean
  now: number
}

/** R25: what a waiting participant is told. */
export function waitingStatusOf(standing: Standing): WaitingStatus {
  const { experimentId, position, arrivedAt, waiting, settings, recentArrivals, now } = standing
  const needed = neededFor(position, waiting, settings)
  const isHeld = needed === 0 && !standing.hasCapacity
  return {
    experimentId,
    waiting,
    needed,
    position,
    waitedMs: Math.max(0, now - arrivedAt),
    deadlineAt: settings.deadlineMs === null ? null : arrivedAt + settings.deadlineMs,
    estimateMs: isHeld ? null : estimateWaitMs(recentArrivals, needed, now),
    held: isHeld ? 'capacity' : null,
    serverTime: now,
  }
}

const estimateStepMs = 5_000

/** Whether two statuses would read the same; the mere passing of time is not news. */
export const readsTheSame = (one: WaitingStatus, other: WaitingStatus): boolean =>
  one.waiting === other.waiting &&
  one.needed === other.needed &&
  one.position === other.position &&
  one.deadlineAt === other.deadlineAt &&
  one.held === other.held &&
  inSteps(one.estimateMs) === inSteps(other.estimateMs)

const inSteps = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / estimateStepMs))
