import type { Reservation } from '../../ports/waiting-queue.ts'
import { graceMs, type WaitingDeps } from './waiting-deps.ts'

/** Creates the rooms of the groups that were claimed for this instance. Safe to repeat: existing rooms count as created. */
export async function fulfilReservations(deps: WaitingDeps): Promise<void> {
  const { queue, podId, clock } = deps
  for (const reservation of await queue.reservedFor(podId))
    if (reservation.until > clock.now()) await makeRoom(deps, reservation).catch(deps.onBackgroundError)
}

async function makeRoom(deps: WaitingDeps, reservation: Reservation): Promise<void> {
  const { queue, rooms, sessions, clock } = deps
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

/** The instance that should have created these rooms has not: their people wait again, unless the room exists after all. */
export async function reapReservations(deps: WaitingDeps): Promise<void> {
  const { queue, clock, onBackgroundError } = deps
  for (const reservation of await queue.lapsed(clock.now()))
    await reap(deps, reservation).catch(onBackgroundError)
}

async function reap({ queue, roomStore, clock }: WaitingDeps, reservation: Reservation): Promise<void> {
  if (await roomStore.find(reservation.roomId)) return await queue.settle(reservation)
  const ids = reservation.members.map(({ participantId }) => participantId)
  await queue.release(reservation, ids, clock.now() + graceMs)
}
