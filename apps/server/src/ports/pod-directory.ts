import type { PodLease, PodMetrics, RoomAssignment } from '@atrium/contract'

/** What is known of an instance: what it reported, whether it is alive, and the rooms on it or on their way to it. */
export interface PodEntry {
  podId: string
  /** Null when it has lapsed: the pod is dead, or cut off. */
  lease: PodLease | null
  metrics: PodMetrics | null
  /** With reservations. */
  rooms: number
  participants: number
}

export interface PinnedRoom {
  roomId: string
  participantCount: number
  assignedAt: number
}

/** Which instances there are, and which room is where. */
export interface PodDirectory {
  /** The contract's metrics, which lapse after 180 s (R28). */
  report(podId: string, metrics: PodMetrics): Promise<void>
  /** Alive for so long, unless renewed. False when there was no lease any more: it had lapsed, or all was forgotten. */
  renew(podId: string, lease: PodLease, forMs: number): Promise<boolean>
  /** Gone, by its own will. */
  remove(podId: string): Promise<void>
  list(): Promise<PodEntry[]>
  /** The leases of the living: asked for all the time, and cheaper than the whole list. */
  alive(): Promise<Map<string, PodLease>>
  /** The room is on this pod from now on, whoever had it before. */
  pin(podId: string, room: PinnedRoom): Promise<void>
  /**
   * The room, which no living pod has, is to be opened on this one; it takes no place by this. Answers who has it: another
   * may have been first.
   */
  send(podId: string, room: PinnedRoom): Promise<string>
  /** The room is over, at rest, or no longer here; without effect when another pod has it meanwhile. */
  unpin(podId: string, roomId: string): Promise<void>
  /**
   * Says anew which rooms the pod holds, so that what was lost or never taken off is put right. The rooms that
   * another pod has meanwhile are left to it; their ids are the answer.
   */
  holds(podId: string, rooms: PinnedRoom[]): Promise<string[]>
  find(roomId: string): Promise<RoomAssignment | undefined>
}
