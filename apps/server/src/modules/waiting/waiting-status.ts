import { endOfExperiment, type WaitingStatus } from '@atrium/contract'
import { completeGroupOf, estimateWaitMs, type MatchingSettings, neededFor } from '../matching/index.ts'

export interface Standing {
  experimentId: string
  /** R68: null for the first, or only, stage. */
  stage: string | null
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
  const { experimentId, stage, position, arrivedAt, waiting, settings, recentArrivals, now } = standing
  const needed = neededFor(position, waiting, settings)
  const isHeld = needed === 0 && !standing.hasCapacity
  const deadlineAt = settings.deadlineMs === null ? null : arrivedAt + settings.deadlineMs
  const estimateMs = estimateWaitMs(recentArrivals, needed, now)
  return {
    experimentId,
    ...(stage !== null && { stage }),
    waiting,
    needed,
    neededToStart: neededFor(position, waiting, settings, true),
    groupSize: completeGroupOf(settings),
    position,
    waitedMs: Math.max(0, now - arrivedAt),
    deadlineAt,
    atDeadline:
      settings.elsewhere && settings.elsewhere.to !== endOfExperiment
        ? 'go_on'
        : atDeadline[settings.onDeadline],
    estimateMs: isHeld || estimateMs === null ? null : Math.min(estimateMs, untilDeadlineMs(deadlineAt, now)),
    held: isHeld ? 'capacity' : null,
    serverTime: now,
  }
}

/** People are not told whether agents may take the empty seats: that is for the disclosure of the study to decide. */
const atDeadline = {
  wait: 'wait',
  end_paid: 'end',
  start_short: 'start',
  fill_with_agent: 'start',
} as const satisfies Record<MatchingSettings['onDeadline'], WaitingStatus['atDeadline']>

const untilDeadlineMs = (deadlineAt: number | null, now: number): number =>
  deadlineAt === null ? Number.POSITIVE_INFINITY : Math.max(0, deadlineAt - now)

const estimateStepMs = 5_000

/** Whether two statuses would read the same; the mere passing of time is not news. */
export const readsTheSame = (one: WaitingStatus, other: WaitingStatus): boolean =>
  one.waiting === other.waiting &&
  one.needed === other.needed &&
  one.neededToStart === other.neededToStart &&
  one.position === other.position &&
  one.deadlineAt === other.deadlineAt &&
  one.held === other.held &&
  estimateIn(one) === estimateIn(other)

/** An estimate that the deadline limits only falls as time passes. */
function estimateIn({ estimateMs, deadlineAt, serverTime }: WaitingStatus): number | null | 'deadline' {
  if (estimateMs === null) return null
  return estimateMs === untilDeadlineMs(deadlineAt, serverTime)
    ? 'deadline'
    : Math.round(estimateMs / estimateStepMs)
}
