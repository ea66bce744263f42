import type { Reservation } from '../../ports/waiting-queue.ts'
import { graceMs, type WaitingParts } from './waiting-parts.ts'

/** Makes the rooms of the groups that were claimed for this instance. Safe to repeat: what is there counts as made. */
export async function settleReservations(parts: WaitingParts): Promise<void> {
  const { queue, podId, clock } = parts
  for (const reservation of await queue.reservedFor(podId))
    if (reservation.until > clock.now()) await makeRoom(parts, reservation).catch(parts.onBackgroundError)
}

async function makeRoom(parts: WaitingParts, reservation: Reservation): Promise<void> {
  const { queue, rooms, sessions, clock } = parts
  const { roomId, experimentId } = reservation
  const members = [...reservation.members]
  const ids = members.map(({ participantId }) => participantId)
  const creation = await rooms.create({ roomId, experimentId, members, agents: [...reservation.agents] })
  if (creation.kind === 'created') {
    await queue.settle(reservation)
    await sessions.roomAssigned(ids)
    return
  }
  const unfit = new Set(creation.participantIds)
  const others = ids.filter((id) => !unfit.has(id))
  await queue.release(reservation, others, clock.now() + graceMs)
}

/** Whoever was to make these rooms has not: the people wait again, unless the room is there after all. */
export async function reapReservations(parts: WaitingParts): Promise<void> {
  const { queue, clock, onBackgroundError } = parts
  for (const reservation of await queue.lapsed(clock.now()))
    await reap(parts, reservation).catch(onBackgroundError)
}

async function reap({ queue, roomStore, clock }: WaitingParts, reservation: Reservation): Promise<void> {
  if (await roomStore.find(reservation.roomId)) return await queue.settle(reservation)
  const ids = reservation.members.map(({ participantId }) => participantId)
  await queue.release(reservation, ids, clock.now() + graceMs)
}
