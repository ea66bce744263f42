import type { AgentReply } from '@atrium/agent-protocol'
import { type ExperimentDefinition, seededRandom } from '@atrium/contract'
import { isLongRun, pace, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import type { ModelProvider } from '../../src/modules/agents/providers/provider.ts'
import { createAgentRunner } from '../../src/modules/agents/runner/runner.ts'
import type { AgentMove, Rooms } from '../../src/modules/rooms/index.ts'
import { heldRoomsOn } from '../rooms/held-rooms.ts'
import { storeCredential } from '../stores/agent-samples.ts'
import { describeOnBothEngines } from '../stores/engines.ts'

const seeds = Array.from({ length: isLongRun ? 50 : 6 }, (_, seed) => seed)

const chattingWith = (credentialId: string): Pick<ExperimentDefinition, 'states' | 'agents' | 'pacing'> => ({
  pacing: 'room',
  states: [{ id: 'talk', components: [{ id: 'chat', type: 'chat' }] }],
  agents: [
    {
      id: 'robin',
      name: 'Robin',
      credentialId,
      seats: 1,
      instructions: 'Answer everything.',
      pacing: { thinkMs: 0, thinkSpreadMs: 2, charactersPerSecond: 10_000 },
    },
  ],
})

interface LoggedTurn {
  type: string
  turnId: string
  moves: AgentMove[]
}

describeOnBothEngines('A room with an agent that changes hands', (engine) => {
  const held = heldRoomsOn(engine)

  /** A model that takes its time and says which call it answers. */
  function slowModel(random: () => number): ModelProvider {
    let calls = 0
    return {
      async ask(_request, { signal }) {
        const text = `reply ${++calls}`
        await pace(random() * 6)
        signal.throwIfAborted()
        const reply: AgentReply = { action: { name: 'wait' } }
        return { kind: 'replied', arguments: { ...reply, message: text }, usage: null, reply }
      },
    }
  }

  function instance(podId: string, provider: ModelProvider) {
    const rooms = held.instance(podId)
    const runner = createAgentRunner({
      store: engine().database.agentRunner,
      openModel: async () => ({ credentialId: 'cred_test', model: 'm', timeoutMs: 60_000, provider }),
      onCall: () => undefined,
      aroundTurn: (turn) => turn(),
      // A fenced instance may fail in its last breath; what counts is the log.
      onBackgroundError: () => undefined,
      rooms,
      clock: systemClock,
    })
    return { rooms, runner }
  }

  const partOf = (rooms: Rooms, roomId: string) =>
    rooms.held(roomId)?.then((room) => ({
      agent: room.state().seats.find(({ agent }) => agent)?.agent,
      room: room.state(),
    }))

  const turnsIn = async (roomId: string): Promise<LoggedTurn[]> =>
    (await engine().rows(`select action from room_actions where room_id = '${roomId}' order by seq`))
      .map(({ action }) => JSON.parse(String(action)) as LoggedTurn)
      .filter(({ type }) => type === 'agent_turn')

  test.each(seeds)('[R44] seed %i: no turn is lost and none is taken twice', async (seed) => {
    const random = seededRandom(`take-over ${seed}`)
    const model = slowModel(random)
    const { roomId, participantId, say } = await held.newRoom(
      chattingWith(await storeCredential(engine().database)),
    )
    let current = instance('pod-0', model)
    const all = [current]
    await current.rooms.enter(roomId, participantId)
    for (let message = 1; message <= 4; message++) {
      const { rooms } = current
      await rooms.dispatch(roomId, say(`hello ${message}`))
      await pace(random() * 8)
      if (random() < 0.7) {
        current = instance(`pod-${message}`, model)
        all.push(current)
        await current.rooms.enter(roomId, participantId)
      }
    }
    await waitUntil(async () => {
      const now = await partOf(current.rooms, roomId)
      const isDone = now?.agent && now.agent.seenMessages >= lastOfPerson(now.room)
      return isDone || `it has seen ${now?.agent?.seenMessages} of ${now?.room.messageCount}`
    })
    for (const { runner } of all) await runner.stop()
    const turns = await turnsIn(roomId)
    const ids = turns.map(({ turnId }) => turnId)
    expect(new Set(ids).size).toBe(ids.length)
    const said = turns.flatMap(({ moves }) => moves.filter(({ type }) => type === 'send_message'))
    const live = await current.rooms.live(roomId)
    expect(live.state().messages.filter(({ message }) => message.from === 'P2')).toHaveLength(said.length)
    // R45: the log alone, with no model, gives the same room.
    const reader = held.instance('reader')
    expect(await reader.read(roomId)).toEqual(live.state())
    for (const { rooms } of all) await rooms.stop()
    await reader.stop()
  })

  const lastOfPerson = ({
    messages,
  }: {
    messages: readonly { message: { from: string; messageId: string } }[]
  }) => Number(messages.findLast(({ message }) => message.from === 'P1')?.message.messageId.slice(1) ?? 0)
})
