import type { Agent, AgentTurnRecord } from '@atrium/contract'
import { waitUntil } from '@atrium/testkit'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import type { ModelOutcome, ModelProvider } from '../../src/modules/agents/providers/provider.ts'
import { createAgentRunner } from '../../src/modules/agents/runner/runner.ts'
import { type AgentUse, agentsIn } from '../../src/modules/rooms/index.ts'
import { heldRoomsOn } from '../rooms/held-rooms.ts'
import { storeCredential } from '../stores/agent-samples.ts'
import type { Engine } from '../stores/engines.ts'

/** More than any test enters. Each visit gives the agent a turn, whatever became of the one before. */
const states = Array.from({ length: 8 }, (_, index) => ({
  id: `talk${index + 1}`,
  components: [{ id: `chat${index + 1}`, type: 'chat' }],
}))

/** It acts at once, and never again on its own account while a test runs. */
const pacing = { thinkMs: 0, thinkSpreadMs: 0, lullMs: 3_600_000, charactersPerSecond: 10_000 }

export interface StubModel {
  /** What it does when asked; `nothing` is to stay silent until the question is withdrawn. */
  answer: ModelOutcome | 'nothing' | Promise<ModelOutcome>
  asked: number
}

interface LoggedTurn {
  turnId: string
  used: AgentUse
  fallback?: string
}

/**
 * A person and an agent in a real room on a real database, and the real runner. Only the model is ours, and the time,
 * which stands still unless the test moves it.
 */
export async function seatAgent(
  engine: () => Engine,
  answer: StubModel['answer'],
  more: Partial<Agent> = {},
) {
  const held = heldRoomsOn(engine)
  const model: StubModel = { answer, asked: 0 }
  const time = { now: systemClock.now() }
  const clock = { now: () => time.now }
  const provider: ModelProvider = {
    async ask(_request, { signal }) {
      model.asked++
      time.now++ // Calls are recorded in the order of asking.
      if (model.answer !== 'nothing') return await model.answer
      return await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
    },
  }
  const credentialId = await storeCredential(engine().database)
  const agent: Agent = { id: 'robin', name: 'Robin', credentialId, seats: 1, instructions: '', ...more }
  const { roomId, participantId, say } = await held.newRoom({
    pacing: 'room',
    states,
    agents: [{ ...agent, pacing: { ...pacing, ...more.pacing } }],
  })
  const instance = (podId: string) => {
    const rooms = held.instance(podId, undefined, { clock })
    onTestFinished(() => rooms.stop())
    return rooms
  }
  const rooms = instance('pod-0')
  const runner = createAgentRunner({
    store: engine().database.agentRunner,
    openModel: async () => ({ credentialId, model: 'm', timeoutMs: 60_000, provider }),
    onCall: () => undefined,
    aroundTurn: (turn) => turn(),
    onBackgroundError: (error) => {
      throw error
    },
    rooms,
    clock,
  })
  onTestFinished(() => runner.stop())
  const enter = () => rooms.enter(roomId, participantId)
  await enter()

  /** Of the room, oldest first. */
  const calls = async (): Promise<AgentTurnRecord[]> => {
    const { turns } = await engine().database.agentTurns.ofRoom({ roomId, before: null, limit: 100 })
    return turns.toReversed()
  }
  const log = async (): Promise<LoggedTurn[]> =>
    (await engine().rows(`select action from room_actions where room_id = '${roomId}' order by seq`))
      .map(({ action }) => JSON.parse(String(action)) as LoggedTurn & { type: string })
      .filter(({ type }) => type === 'agent_turn')

  return {
    model,
    time,
    instance,
    enter,
    say: (text: string) => rooms.dispatch(roomId, say(text)),
    /** A researcher ends the state: a turn that is under way is over, and the next state has one of its own. */
    moveOn: () => rooms.dispatch(roomId, { type: 'advance', by: 'researcher' }),
    untilAsked: (times: number) =>
      waitUntil(() => model.asked >= times || `the model was asked ${model.asked} times`),
    /** The turns in the room's log, each with the calls that led to it, once there are so many. */
    async applied(count: number) {
      await waitUntil(async () => {
        const { length } = await log()
        return length >= count || `${length} turns were applied`
      })
      const all = await calls()
      return (await log()).map((turn) => ({
        ...turn,
        calls: all.filter(({ turnId, outcome }) => turnId === turn.turnId && outcome !== 'refused'),
      }))
    },
    /** Calls that led to no action, once there are so many. */
    async refused(count: number) {
      const found = async () => (await calls()).filter(({ outcome }) => outcome === 'refused')
      await waitUntil(async () => {
        const { length } = await found()
        return length >= count || `${length} calls are recorded as refused`
      })
      return await found()
    },
    /** What the agent has used, by the room's own count. */
    used: async (): Promise<AgentUse | undefined> => agentsIn(await rooms.read(roomId))[0]?.agent.used,
    roomId,
    participantId,
    credentialId,
  }
}
