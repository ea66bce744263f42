import { coalesced } from '../../kernel/coalesce.ts'
import { createTurns } from '../../kernel/turns.ts'
import type { Reservation } from '../../ports/waiting-queue.ts'
import { matchRound } from './match-round.ts'
import { stageOfQueue } from './queue-of-stage.ts'
import { graceMs, leadershipMs, roundsAtOnce, type WaitingDeps } from './waiting-deps.ts'

/** The rounds of matching that this instance leads, and the rooms that it makes for those who were matched. */
export function createRounds(deps: WaitingDeps) {
  const { queue, bus, podId, onBackgroundError } = deps
  /** By queue. */
  const rounds = new Map<string, () => Promise<void>>()
  const inTurn = createTurns(roundsAtOnce)
  const underWay = new Set<string>()
  const createReservedRooms = coalesced(() => fulfilReservations(deps))
  let isStopped = false

  function round(queueId: string): Promise<void> {
    const known =
      rounds.get(queueId) ??
      coalesced(async () => {
        if (!isStopped && (await queue.lead(queueId, podId, leadershipMs))) await matchRound(deps, queueId)
      })
    rounds.set(queueId, known)
    return known()
  }

  const onFailed = (error: unknown, queueId: string): void =>
    deps.warn({ err: error, ...stageOfQueue(queueId) }, 'a round of matching failed; it is tried again')

  /** A round that takes long, or fails, must not keep other experiments from theirs. */
  function begin(queueId: string): void {
    if (underWay.has(queueId)) return
    underWay.add(queueId)
    inTurn(() => round(queueId))
      .catch((error: unknown) => onFailed(error, queueId))
      .finally(() => underWay.delete(queueId))
  }

  bus.subscribe('waiting_changed', ({ experimentId: queueId }) => {
    round(queueId).catch((error: unknown) => onFailed(error, queueId))
  })
  bus.subscribe('room_reserved', (reserved) => {
    if (reserved.podId === podId && !isStopped) createReservedRooms().catch(onBackgroundError)
  })

  return {
    /** Creates rooms and starts rounds. Runs beside the heartbeat, so that presence is reported however long it takes. */
    makeProgress: coalesced(async () => {
      await createReservedRooms().catch(onBackgroundError)
      await reapReservations(deps).catch(onBackgroundError)
      for (const queueId of await queue.experiments()) begin(queueId)
    }),
    async stop(): Promise<void> {
      isStopped = true
      await createReservedRooms().catch(onBackgroundError)
    },
  }
}

/** Creates the rooms of the groups that were claimed for this instance. Safe to repeat: existing rooms count as created. */
async function fulfilReservations(deps: WaitingDeps): Promise<void> {
  const { queue, podId, clock } = deps
  for (const reservation of await queue.reservedFor(podId))
    if (reservation.until > clock.now()) await makeRoom(deps, reservation).catch(deps.onBackgroundError)
}

async function makeRoom(deps: WaitingDeps, reservation: Reservation): Promise<void> {
  const { queue, rooms, sessions, clock } = deps
  const { roomId, match } = reservation
  const { experimentId } = stageOfQueue(reservation.experimentId)
  const members = [...reservation.members]
  const ids = members.map(({ participantId }) => participantId)
  const creation = await rooms.create({
    ...{ roomId, experimentId, members, agents: [...reservation.agents] },
    ...(match && { match }),
  })
  if (creation.kind === 'created') {
    await queue.settle(reservation)
    await sessions.roomChanged(ids)
    return
  }
  const unfit = new Set(creation.participantIds)
  const others = ids.filter((id) => !unfit.has(id))
  await queue.release(reservation, others, clock.now() + graceMs)
}

/** The instance that should have created these rooms has not: their people wait again, unless the room exists after all. */
async function reapReservations(deps: WaitingDeps): Promise<void> {
  const { queue, clock, onBackgroundError } = deps
  for (const reservation of await queue.lapsed(clock.now()))
    await reap(deps, reservation).catch(onBackgroundError)
}

async function reap({ queue, roomStore, clock }: WaitingDeps, reservation: Reservation): Promise<void> {
  if (await roomStore.find(reservation.roomId)) return await queue.settle(reservation)
  const ids = reservation.members.map(({ participantId }) => participantId)
  await queue.release(reservation, ids, clock.now() + graceMs)
}
