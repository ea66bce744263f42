import type { PodLease } from '@atrium/coordination'
import type { PodEntry } from '../../ports/pod-directory.ts'
import { canTake } from './capacity.plan.ts'

export type EligiblePod = PodEntry & { lease: PodLease }

/** What a score depends on besides the instance itself: the rooms of all eligible instances, and the time. */
export interface ScoreContext {
  leastRooms: number
  mostRooms: number
  now: number
  heartbeatMs: number
}

/** P3: 0 to 100. */
export function scorePod(pod: EligiblePod, context: ScoreContext): number {
  const { lease, rooms, participants } = pod
  const { leastRooms, mostRooms } = context
  return (
    35 * (1 - rooms / lease.maxRooms) +
    35 * (1 - participants / lease.maxParticipants) +
    20 * (1 - (rooms - leastRooms) / Math.max(1, mostRooms - leastRooms)) +
    10 * freshness(pod, context)
  )
}

/** P4: 1 if the instance reported just now (or its clock is ahead of ours), down to 0 after two heartbeats or if it never did. */
function freshness({ metrics }: EligiblePod, { now, heartbeatMs }: ScoreContext): number {
  const ageMs = metrics ? Math.max(0, now - metrics.lastUpdate) : Infinity
  return Math.max(0, 1 - ageMs / (2 * heartbeatMs))
}

/** R29: the best instance for a group of this size; undefined when none can take it. */
export function selectPod(
  pods: readonly PodEntry[],
  groupSize: number,
  now: number,
  heartbeatMs: number,
): string | undefined {
  const eligible = pods.filter((pod) => canTake(pod, groupSize))
  const rooms = eligible.map((pod) => pod.rooms)
  const context = { leastRooms: Math.min(...rooms), mostRooms: Math.max(...rooms), now, heartbeatMs }
  let best: { podId: string; score: number } | undefined
  for (const pod of eligible) {
    const { podId } = pod
    const score = scorePod(pod, context)
    if (!best || score > best.score || (score === best.score && podId < best.podId)) best = { podId, score }
  }
  return best?.podId
}
