import type { PodLease } from '@atrium/coordination'
import type { Clock } from '../../kernel/clock.ts'
import { createLoop } from '../../kernel/loop.ts'
import type { Bus } from '../../ports/bus.ts'
import type { PinnedRoom, PodDirectory } from '../../ports/pod-directory.ts'
import { isPerson, type Rooms } from '../rooms/index.ts'

export interface RegistrationDeps {
  directory: PodDirectory
  bus: Bus
  rooms: Pick<Rooms, 'listen' | 'drop'>
  clock: Clock
  podId: string
  capacity: { maxRooms: number; maxParticipants: number }
  /** From now on others may take the rooms of this instance. */
  onLeaseLost(): void
  onLeaseRegained(): void
  onBackgroundError(error: unknown): void
}

/** A dead instance is noticed after this. Renewed three times as often, so that one lost renewal does no harm. */
export const leaseMs = 1_500
const renewEveryMs = 500
const repeatRoomsEvery = 10
/** Every other instance reconnects and renews within this after the directory has come back or lost its entries. */
const settleMs = 3_000

/** Tells the other instances about this one: its lease, and the rooms that it holds. */
// One function, because lease, rooms and the time of the last renewal are told to the directory together.
export function createRegistration(deps: RegistrationDeps) {
  const { directory, bus, podId, clock } = deps
  const held = new Map<string, PinnedRoom>()
  let lease: PodLease | undefined
  /** When the last successful renewal was sent, by a clock that nobody can set. */
  let renewedAt = 0
  let isLost = false
  let renewals = 0
  /** Until then, an instance that is missing in the directory may be alive. */
  let unsettledUntil = 0

  async function renew(): Promise<void> {
    if (!lease) return
    const sentAt = performance.now()
    const wasThere = await directory.renew(podId, { ...lease, renewedAt: clock.now() }, leaseMs)
    renewedAt = sentAt
    if (isLost || (!wasThere && renewals > 0)) unsettledUntil = sentAt + settleMs
    renewals++
    // The directory may have lost our rooms, or an instance that lost a race for one may have removed it.
    if (!wasThere || renewals % repeatRoomsEvery === 0) await repeatRooms()
    if (!isLost) return
    isLost = false
    deps.onLeaseRegained()
  }

  function noticeLapse(): void {
    if (isLost || !lease || performance.now() - renewedAt < leaseMs) return
    isLost = true
    deps.onLeaseLost()
  }

  async function repeatRooms(): Promise<void> {
    for (const roomId of await directory.holds(podId, [...held.values()])) {
      held.delete(roomId)
      deps.rooms.drop(roomId)
    }
  }

  const renewing = createLoop(
    renewEveryMs,
    async () => {
      noticeLapse()
      await renew().finally(noticeLapse)
    },
    deps.onBackgroundError,
  )

  const forget = (roomId: string): void => {
    if (held.delete(roomId)) directory.unpin(podId, roomId).catch(deps.onBackgroundError)
  }

  deps.rooms.listen({
    async taken({ roomId, seats }) {
      const participantCount = seats.filter(isPerson).length
      const room = { roomId, participantCount, assignedAt: clock.now() }
      held.set(roomId, room)
      try {
        await directory.pin(podId, room)
        await bus.publish('room_moved', { roomId })
      } catch (error) {
        // Safe: `repeatRooms` makes up for it soon, and the room is played meanwhile.
        deps.onBackgroundError(error)
      }
    },
    ended: forget,
    lost: forget,
    rested: forget,
  })

  return {
    /** From now on alive, at this address. */
    async start(address: string): Promise<void> {
      lease = { address, draining: false, ...deps.capacity }
      await renew().catch(deps.onBackgroundError)
      renewing.start()
    },
    /** P12: the rooms held here and the people with a seat in them. Every count of this instance is this one. */
    load(): { rooms: number; participants: number } {
      const counts = [...held.values()].map(({ participantCount }) => participantCount)
      return { rooms: held.size, participants: counts.reduce((sum, count) => sum + count, 0) }
    },
    /** P15: whether an instance that is missing in the directory is dead. */
    isSettled: (): boolean => !isLost && performance.now() >= unsettledUntil,
    /** Takes nothing new; its rooms remain its own. */
    async drain(): Promise<void> {
      if (!lease) return
      lease = { ...lease, draining: true }
      await renew().catch(deps.onBackgroundError)
    },
    /** Gives up the lease: others take the rooms. */
    async stop(): Promise<void> {
      renewing.stop()
      lease = undefined
      await directory.remove(podId).catch(deps.onBackgroundError)
    },
  }
}
