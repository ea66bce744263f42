import type { PodLease } from '@atrium/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { Bus } from '../../ports/bus.ts'
import type { PinnedRoom, PodDirectory } from '../../ports/pod-directory.ts'
import type { Rooms } from '../rooms/index.ts'

export interface RegistrationParts {
  directory: PodDirectory
  bus: Bus
  rooms: Pick<Rooms, 'listen' | 'drop'>
  clock: Clock
  podId: string
  capacity: { maxRooms: number; maxParticipants: number }
  /** Others may take the rooms of this instance from now on. */
  onLeaseLost(): void
  onLeaseBack(): void
  onBackgroundError(error: unknown): void
}

/** A dead pod is noticed after this; renewed three times as often, so that one lost renewal does no harm. */
export const leaseMs = 1_500
const renewEveryMs = 500
const sayAgainEvery = 10

/** How the other instances know of this one and of its rooms. */
export function createRegistration(parts: RegistrationParts) {
  const { directory, bus, podId, clock } = parts
  const held = new Map<string, PinnedRoom>()
  let lease: PodLease | undefined
  let timer: NodeJS.Timeout | undefined
  /** By a clock that nobody can set: of the moment before the renewal was sent. */
  let renewedAt = 0
  let isLost = false
  let renewals = 0

  async function renew(): Promise<void> {
    if (!lease) return
    const sentAt = performance.now()
    const wasThere = await directory.renew(podId, lease, leaseMs)
    renewedAt = sentAt
    renewals++
    // The directory may have forgotten our rooms, or an instance that lost a race for one may have taken it off.
    if (!wasThere || renewals % sayAgainEvery === 0) await sayAgain()
    if (!isLost) return
    isLost = false
    parts.onLeaseBack()
  }

  function watch(): void {
    if (isLost || !lease || performance.now() - renewedAt < leaseMs) return
    isLost = true
    parts.onLeaseLost()
  }

  async function sayAgain(): Promise<void> {
    for (const roomId of await directory.holds(podId, [...held.values()])) {
      held.delete(roomId)
      parts.rooms.drop(roomId)
    }
  }

  function renewLater(): void {
    timer = setTimeout(() => {
      watch()
      renew()
        .catch(parts.onBackgroundError)
        .finally(() => {
          watch()
          if (lease) renewLater()
        })
    }, renewEveryMs)
    timer.unref()
  }

  const forget = (roomId: string): void => {
    if (held.delete(roomId)) directory.unpin(podId, roomId).catch(parts.onBackgroundError)
  }
  parts.rooms.listen({
    async taken({ roomId, seats }) {
      const participantCount = seats.filter(({ status }) => status !== 'agent').length
      const room = { roomId, participantCount, assignedAt: clock.now() }
      held.set(roomId, room)
      try {
        await directory.pin(podId, room)
        await bus.publish('room_moved', { roomId })
      } catch (error) {
        // It is said again before long; meanwhile the room is played all the same.
        parts.onBackgroundError(error)
      }
    },
    ended: forget,
    lost: forget,
    rested: forget,
  })

  return {
    /** From now on alive, at this address. */
    async start(address: string): Promise<void> {
      lease = { address, draining: false, ...parts.capacity }
      await renew().catch(parts.onBackgroundError)
      renewLater()
    },
    sayAgain,
    /** P12: the rooms held here, and the people with a seat in them. Whoever counts this instance counts these. */
    load(): { rooms: number; participants: number } {
      const counts = [...held.values()].map(({ participantCount }) => participantCount)
      return { rooms: held.size, participants: counts.reduce((sum, count) => sum + count, 0) }
    },
    /** Takes nothing new any more; its rooms are still its own. */
    async drain(): Promise<void> {
      if (!lease) return
      lease = { ...lease, draining: true }
      await renew().catch(parts.onBackgroundError)
    },
    /** Gone: others take the rooms. */
    async stop(): Promise<void> {
      clearTimeout(timer)
      lease = undefined
      await directory.remove(podId).catch(parts.onBackgroundError)
    },
  }
}
