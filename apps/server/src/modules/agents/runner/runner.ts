import type { Clock } from '../../../kernel/clock.ts'
import { type AgentCall, agentsIn, type PendingTurn, type RoomState, type Rooms } from '../../rooms/index.ts'
import type { AgentRunnerStore } from '../agent-runner.store.ts'
import { createModelBreakers } from './model-breakers.ts'
import { pause } from './pause.ts'
import { createSpending } from './spending.ts'
import { type TakeTurnDeps, takeTurn } from './take-turn.ts'
import { createUnappliedUsage } from './unapplied-usage.ts'

export interface AgentRunnerDeps extends Pick<TakeTurnDeps, 'openModel' | 'onCall'> {
  store: AgentRunnerStore
  rooms: Pick<Rooms, 'listen' | 'held'>
  clock: Clock
  /** Runs one turn, for example to measure it. */
  aroundTurn(turn: () => Promise<void>): Promise<void>
  onBackgroundError(error: unknown): void
}

interface UnderWay {
  turnId: string
  abort: AbortController
}

/** One for all: almost every turn is cancelled just after it was applied, and the stack of an error takes time. */
const turnOver = new Error('The turn is over.')

const firstRetryMs = 1_000
const longestRetryMs = 30_000

/**
 * Takes the pending turns of the agents in rooms that this instance holds. Which turns are pending is the room's
 * decision; a take-over loses nothing that is remembered here but what cut-off calls have used.
 */
// One function, because whatever happens to a room begins or cancels the same turns.
export function createAgentRunner(allDeps: AgentRunnerDeps) {
  const { rooms, clock, store, aroundTurn, onBackgroundError, ...deps } = allDeps
  /** By room, then by participant. */
  const underWay = new Map<string, Map<string, UnderWay>>()
  const turns = new Set<Promise<void>>()
  const records = new Set<Promise<void>>()
  let isStopped = false
  const turnDeps: TakeTurnDeps = {
    ...deps,
    clock,
    breakers: createModelBreakers(clock),
    unapplied: createUnappliedUsage(),
    openSpending: createSpending(store, clock),
    record,
  }

  function record(calls: AgentCall[]): Promise<void> {
    for (const call of calls) deps.onCall(call)
    const stored = store
      .record(calls)
      .catch(onBackgroundError)
      .finally(() => records.delete(stored))
    records.add(stored)
    return stored
  }

  function follow(room: RoomState): void {
    const { roomId } = room
    const running = underWay.get(roomId)
    const agents = agentsIn(room)
    if (agents.length === 0 || isStopped) return
    const pending = new Map(
      agents.flatMap(({ participantId, agent }) =>
        agent.pending && room.status.kind === 'running' ? [[participantId, agent.pending] as const] : [],
      ),
    )
    for (const [participantId, { turnId }] of running ?? [])
      if (pending.get(participantId)?.turnId !== turnId) cancel(roomId, participantId)
    for (const [participantId, turn] of pending)
      if (!underWay.get(roomId)?.has(participantId)) begin(roomId, participantId, turn)
  }

  function begin(roomId: string, participantId: string, turn: PendingTurn): void {
    const abort = new AbortController()
    const one = { turnId: turn.turnId, abort }
    const inRoom = underWay.get(roomId) ?? new Map<string, UnderWay>()
    underWay.set(roomId, inRoom.set(participantId, one))
    const taken = run(roomId, participantId, turn, abort.signal).finally(() => {
      turns.delete(taken)
      if (underWay.get(roomId)?.get(participantId) === one) forget(roomId, participantId)
    })
    turns.add(taken)
  }

  /** Until it is taken, or no longer pending. A failure of ours must not leave the room without its agent. */
  async function run(
    roomId: string,
    participantId: string,
    turn: PendingTurn,
    signal: AbortSignal,
  ): Promise<void> {
    for (let failures = 0; !signal.aborted; failures++)
      try {
        await pause(turn.dueAt - clock.now(), signal)
        const room = await rooms.held(roomId)
        const { turnId } = turn
        if (room) await aroundTurn(() => takeTurn(turnDeps, { room, roomId, participantId, turnId, signal }))
        return
      } catch (error) {
        if (signal.aborted) return
        onBackgroundError(error)
        await pause(Math.min(firstRetryMs * 2 ** failures, longestRetryMs), signal).catch(() => undefined)
      }
  }

  function cancel(roomId: string, participantId: string): void {
    underWay.get(roomId)?.get(participantId)?.abort.abort(turnOver)
    forget(roomId, participantId)
  }

  function forget(roomId: string, participantId: string): void {
    const inRoom = underWay.get(roomId)
    inRoom?.delete(participantId)
    if (inRoom?.size === 0) underWay.delete(roomId)
  }

  function cancelAll(roomId: string): void {
    for (const participantId of [...(underWay.get(roomId)?.keys() ?? [])]) cancel(roomId, participantId)
  }

  rooms.listen({
    emitted: follow,
    opened: follow,
    lost: cancelAll,
    ended: cancelAll,
    rested: cancelAll,
  })

  return {
    /** Turns that are waiting or being asked now. */
    underWay: (): number => turns.size,
    async stop(): Promise<void> {
      isStopped = true
      for (const roomId of [...underWay.keys()]) cancelAll(roomId)
      await Promise.allSettled(turns)
      await Promise.allSettled(records)
    },
  }
}
