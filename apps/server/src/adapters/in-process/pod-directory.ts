import { limits } from '@atrium/contract'
import type { PodHistory, PodLease, PodMetrics, RoomAssignment } from '@atrium/coordination'
import type { Clock } from '../../kernel/clock.ts'
import type { PinnedRoom, PodDirectory, PodEntry } from '../../ports/pod-directory.ts'
import { createLapsingMap } from './lapsing-map.ts'

const ttlMs = limits.podKeyTtlSeconds * 1000

/** The directory, plus what a claim needs from it in the same step. */
export interface InProcessPods extends PodDirectory {
  clock: Clock
  loadOf(podId: string): Omit<PodEntry, 'podId' | 'metrics'>
  /** The synchronous `find`. */
  ownerOf(roomId: string): string | undefined
  reserve(podId: string, room: PinnedRoom): void
  unreserve(podId: string, roomId: string): void
  /** Does nothing if another instance has taken the room. */
  forget(podId: string, roomId: string): void
}

/** One process is one instance; tests put several into one directory. */
export function createInProcessPods(clock: Clock): InProcessPods {
  const metrics = createLapsingMap<PodMetrics>(clock)
  const histories = createLapsingMap<PodHistory>(clock)
  const leases = createLapsingMap<PodLease>(clock)
  const assignments = createLapsingMap<RoomAssignment>(clock)
  const held = createLapsingMap<ReadonlyMap<string, number>>(clock)
  const reserved = new Map<string, Map<string, number>>()

  const ownerOf = (roomId: string) => assignments.get(roomId)?.podId
  const assign = (podId: string, { roomId, participantCount, assignedAt }: PinnedRoom) =>
    assignments.set(roomId, { podId, participantCount, assignedAt }, ttlMs)

  function hold(podId: string, change: (rooms: Map<string, number>) => void): void {
    const rooms = new Map(held.get(podId))
    change(rooms)
    held.set(podId, rooms, ttlMs)
  }

  /** A room that is both held and reserved (just made, not settled) counts once. */
  function loadOf(podId: string) {
    const rooms = new Map([...(reserved.get(podId) ?? []), ...(held.get(podId) ?? [])])
    const counts = [...rooms.values()]
    const participants = counts.reduce((total, count) => total + count, 0)
    const soloRooms = counts.filter((count) => count === 1).length
    return { lease: leases.get(podId) ?? null, rooms: rooms.size, participants, soloRooms }
  }

  function forget(podId: string, roomId: string): void {
    if (ownerOf(roomId) === podId) assignments.delete(roomId)
  }

  return {
    clock,
    loadOf,
    ownerOf,
    forget,
    reserve(podId, room) {
      assign(podId, room)
      const rooms = reserved.get(podId) ?? new Map<string, number>()
      reserved.set(podId, rooms.set(room.roomId, room.participantCount))
    },
    unreserve: (podId, roomId) => void reserved.get(podId)?.delete(roomId),

    report: async (podId, report) => metrics.set(podId, report, ttlMs),
    publishHistory: async (podId, history) => histories.set(podId, history, ttlMs),
    async histories(podIds) {
      return new Map(
        podIds.flatMap((podId) => {
          const history = histories.get(podId)
          return history ? [[podId, history] as const] : []
        }),
      )
    },
    async renew(podId, lease, forMs) {
      const wasThere = leases.get(podId) !== undefined
      leases.set(podId, lease, forMs)
      return wasThere
    },
    async remove(podId) {
      for (const map of [metrics, histories, leases, held]) map.delete(podId)
    },
    async list() {
      const podIds = new Set([...metrics.keys(), ...leases.keys()])
      return [...podIds]
        .map((podId) => ({ podId, metrics: metrics.get(podId) ?? null, ...loadOf(podId) }))
        .filter((pod) => pod.lease || pod.metrics)
    },
    async alive() {
      return new Map(
        [...leases.keys()].flatMap((podId) => {
          const lease = leases.get(podId)
          return lease ? [[podId, lease]] : []
        }),
      )
    },
    async pin(podId, room) {
      const former = ownerOf(room.roomId)
      if (former !== undefined) hold(former, (rooms) => rooms.delete(room.roomId))
      assign(podId, room)
      hold(podId, (rooms) => rooms.set(room.roomId, room.participantCount))
    },
    async send(podId, room) {
      const owner = ownerOf(room.roomId)
      if (owner !== undefined && leases.get(owner) !== undefined) return owner
      assign(podId, room)
      return podId
    },
    async unpin(podId, roomId) {
      hold(podId, (rooms) => rooms.delete(roomId))
      forget(podId, roomId)
    },
    async holds(podId, rooms) {
      const isOurs = ({ roomId }: PinnedRoom) => (ownerOf(roomId) ?? podId) === podId
      const ours = rooms.filter(isOurs)
      for (const room of ours) assign(podId, room)
      hold(podId, (counts) => {
        counts.clear()
        for (const { roomId, participantCount } of ours) counts.set(roomId, participantCount)
      })
      return rooms.filter((room) => !isOurs(room)).map(({ roomId }) => roomId)
    },
    find: async (roomId) => assignments.get(roomId),
  }
}
