import type { PodHistory, PodLease, PodMetrics, RoomAssignment } from '@atrium/coordination'

/** What is known about an instance: its report, its lease, and the rooms on it or reserved on it. */
export interface PodEntry {
  podId: string
  /** Null after it has expired: the instance is dead or cut off. */
  lease: PodLease | null
  metrics: PodMetrics | null
  /** Including reservations. */
  rooms: number
  participants: number
  /** Those of the rooms that have one participant. */
  soloRooms: number
}

export interface PinnedRoom {
  roomId: string
  participantCount: number
  assignedAt: number
}

/** Which instances exist, and which room is where. */
export interface PodDirectory {
  /** The contract's metrics, which expire after 180 s (R28). */
  report(podId: string, metrics: PodMetrics): Promise<void>
  /** Recent metrics, which expire like the report. */
  publishHistory(podId: string, history: PodHistory): Promise<void>
  /** Of those instances that have published one. */
  histories(podIds: readonly string[]): Promise<Map<string, PodHistory>>
  /** Keeps the instance alive for `forMs`. False if there was no lease any more: it had expired, or everything was lost. */
  renew(podId: string, lease: PodLease, forMs: number): Promise<boolean>
  /** The instance shuts down. */
  remove(podId: string): Promise<void>
  list(): Promise<PodEntry[]>
  /** The leases of the living instances: read all the time, and cheaper than the whole list. */
  alive(): Promise<Map<string, PodLease>>
  /** The room is on this instance from now on, whichever had it before. */
  pin(podId: string, room: PinnedRoom): Promise<void>
  /**
   * Assigns a room that no living instance has to this one, without taking up a place. Returns the instance that has the room:
   * another may have been first.
   */
  send(podId: string, room: PinnedRoom): Promise<string>
  /** The room has ended, rests, or is no longer here. Does nothing if another instance has taken it. */
  unpin(podId: string, roomId: string): Promise<void>
  /**
   * Repeats which rooms the instance holds, to repair entries that were lost or never removed. Rooms that another instance has
   * taken are left to it; returns their ids.
   */
  holds(podId: string, rooms: PinnedRoom[]): Promise<string[]>
  find(roomId: string): Promise<RoomAssignment | undefined>
}
