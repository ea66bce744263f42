import type { PodLease } from '@atrium/contract'

/** What decides whether a pod may be given a room. */
export interface PodLoad {
  lease: PodLease | null
  rooms: number
  participants: number
}

/** P1, P2: a pod that is dead, draining or full takes nothing, however good its score. */
export function canTake<Pod extends PodLoad>(pod: Pod, groupSize: number): pod is Pod & { lease: PodLease } {
  const { lease, rooms, participants } = pod
  if (!lease || lease.draining) return false
  return rooms < lease.maxRooms && participants + groupSize <= lease.maxParticipants
}
