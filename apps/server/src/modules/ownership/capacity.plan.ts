import type { PodLease } from '@atrium/coordination'

/** What decides whether an instance may be given a room. */
export interface PodLoad {
  lease: PodLease | null
  rooms: number
  participants: number
  /** Those of the rooms that have one participant. */
  soloRooms: number
}

/** Rooms for one are opened even where no place is free (P10), so without a limit on what they take from groups, no group would ever get one. */
const soloShare = 1 / 2

/** P1, P2: an instance that is dead, draining or full takes nothing, however good its score. */
export function canTake<Pod extends PodLoad>(pod: Pod, groupSize: number): pod is Pod & { lease: PodLease } {
  const { lease, rooms, participants, soloRooms } = pod
  if (!lease || lease.draining) return false
  /** Places of rooms for one that do not count for a group. */
  const spared = (max: number): number =>
    groupSize > 1 ? Math.max(0, soloRooms - Math.floor(max * soloShare)) : 0
  return (
    rooms - spared(lease.maxRooms) < lease.maxRooms &&
    participants - spared(lease.maxParticipants) + groupSize <= lease.maxParticipants
  )
}
