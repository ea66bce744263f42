import { coalesced } from '../../kernel/coalesce.ts'
import { createTurns } from '../../kernel/turns.ts'
import { matchRound } from './match-round.ts'
import { fulfilReservations, reapReservations } from './reservations.ts'
import { leadershipMs, roundsAtOnce, type WaitingDeps } from './waiting-deps.ts'

/** The rounds of matching that this instance leads, and the rooms that it makes for those who were matched. */
export function createRounds(deps: WaitingDeps) {
  const { queue, bus, podId, onBackgroundError } = deps
  const rounds = new Map<string, () => Promise<void>>()
  const inTurn = createTurns(roundsAtOnce)
  const underWay = new Set<string>()
  const createReservedRooms = coalesced(() => fulfilReservations(deps))
  let isStopped = false

  function round(experimentId: string): Promise<void> {
    const known =
      rounds.get(experimentId) ??
      coalesced(async () => {
        if (!isStopped && (await queue.lead(experimentId, podId, leadershipMs)))
          await matchRound(deps, experimentId)
      })
    rounds.set(experimentId, known)
    return known()
  }

  const onFailed = (error: unknown, experimentId: string): void =>
    deps.warn({ err: error, experimentId }, 'a round of matching failed; it is tried again')

  /** A round that takes long, or fails, must not keep other experiments from theirs. */
  function begin(experimentId: string): void {
    if (underWay.has(experimentId)) return
    underWay.add(experimentId)
    inTurn(() => round(experimentId))
      .catch((error: unknown) => onFailed(error, experimentId))
      .finally(() => underWay.delete(experimentId))
  }

  bus.subscribe('waiting_changed', ({ experimentId }) => {
    round(experimentId).catch((error: unknown) => onFailed(error, experimentId))
  })
  bus.subscribe('room_reserved', (reserved) => {
    if (reserved.podId === podId && !isStopped) createReservedRooms().catch(onBackgroundError)
  })

  return {
    /** Creates rooms and starts rounds. Runs beside the heartbeat, so that presence is reported however long it takes. */
    makeProgress: coalesced(async () => {
      await createReservedRooms().catch(onBackgroundError)
      await reapReservations(deps).catch(onBackgroundError)
      for (const experimentId of await queue.experiments()) begin(experimentId)
    }),
    async stop(): Promise<void> {
      isStopped = true
      await createReservedRooms().catch(onBackgroundError)
    },
  }
}
