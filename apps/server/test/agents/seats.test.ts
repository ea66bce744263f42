import type { Agent, ExperimentDefinition } from '@atrium/contract'
import {
  describeInBothModes,
  HandshakeRefused,
  openRoomSocket,
  type RoomSocket,
  type SocketSession,
} from '@atrium/testkit'
import { expect, test } from 'vitest'
import { example } from '../rooms/examples.ts'
import { acknowledged } from '../rooms/table.ts'
import { lobbyIn } from '../waiting/lobby.ts'
import { quick } from './bargaining.ts'

const scripted = (id: string, more: Partial<Agent>): Agent => ({
  id,
  name: id,
  provider: 'Scripted',
  instructions: 'Play along.',
  pacing: quick,
  ...more,
})

/** Everybody gives something, once. */
const giving = (agents: Agent[], more: Partial<ExperimentDefinition>): ExperimentDefinition => ({
  name: 'Giving',
  states: [
    { id: 'talk', components: [{ id: 'chat', type: 'chat' }] },
    {
      id: 'give',
      components: [{ id: 'amount', type: 'slider', ...{ min: 0, max: 20 } }],
      end: { on: 'all_responded' },
      onEnd: { pot: 'sum(responses.amount)', players: 'participants' },
    },
    { id: 'bye', components: [] },
  ],
  variables: { pot: 0, players: 0 },
  agents,
  ...more,
})

async function give(socket: RoomSocket, value: number): Promise<void> {
  await acknowledged(socket.act('ready'))
  await socket.event('state_entered', ({ state }) => state.id === 'give')
  await acknowledged(socket.act('submit_response', { componentId: 'amount', value }))
}

const finish = async (socket: RoomSocket): Promise<void> => {
  await socket.event('state_entered', ({ state }) => state.id === 'bye')
  await acknowledged(socket.act('ready'))
  await socket.event('finished', ({ outcome }) => outcome === 'SUCCESS')
}

describeInBothModes('Agents in seats', (world) => {
  const lobby = lobbyIn(world)

  /** A matched room may be on any instance; here there is no router that would know. */
  async function connectAnywhere(session: SocketSession): Promise<RoomSocket> {
    for (const { http } of world().servers)
      try {
        return await openRoomSocket(http, session)
      } catch (error) {
        if (!(error instanceof HandshakeRefused && error.code === 'ROOM_ELSEWHERE')) throw error
      }
    throw new Error('no instance has the room')
  }

  test('[R43] at the deadline of matching, an agent fills the seat, and the game is played to its end', async () => {
    const filling = scripted('kim', { fills: true, script: [{ state: 'give', answers: { amount: 7 } }] })
    const matching = { groupSize: 2, deadlineMs: 1_000, onDeadline: 'fill_with_agent' as const }
    const experimentId = await lobby.open(giving([filling], { matching }))
    const ann = await lobby.come(experimentId)
    const { roomId } = await ann.socket.assigned()
    const socket = await connectAnywhere({ ...ann, roomId })
    expect(socket.snapshot().others).toMatchObject([{ alias: 'P2', status: 'active', agent: 'kim' }])
    await give(socket, 5)
    await finish(socket)
    expect(await lobby.seats(roomId)).toMatchObject([{ outcome: 'SUCCESS' }, { outcome: 'SUCCESS' }])
    const variables = socket.events.flatMap((event) => (event.type === 'variables' ? [event.room] : []))
    expect(Object.assign({}, ...variables)).toMatchObject({ pot: 12, players: 2 })
  })

  test('[R43] somebody who leaves is replaced, and the others are told', async () => {
    const replacing = scripted('lee', { replaces: true, script: [{ state: 'give', answers: { amount: 3 } }] })
    const dropout = { policy: 'replace_with_agent' as const, graceMs: 60_000 }
    const experimentId = await lobby.open(giving([replacing], { matching: { groupSize: 2 }, dropout }))
    const { sessions, roomId } = await lobby.seat(experimentId, 2)
    const [ann, bob] = await Promise.all(sessions.map((session) => lobby.connect(session)))
    if (!ann || !bob) throw new Error('two people were seated')
    await acknowledged(bob.act('leave', { reason: 'no time' }))
    const seated = await ann.event('seated')
    expect(seated.other).toMatchObject({ alias: 'P3', agent: 'lee', status: 'active' })
    await give(ann, 5)
    await finish(ann)
    expect(await lobby.seats(roomId)).toMatchObject([
      { alias: 'P1', outcome: 'SUCCESS' },
      { alias: 'P2', status: 'left' },
      { alias: 'P3', outcome: 'SUCCESS' },
    ])
  })

  test('[R43] two people, two agents and a mediator: hidden agents look like people', async () => {
    const agents = [
      scripted('kim', { seats: 1, script: [{ state: 'talk', say: ['Hello, I am here.'] }] }),
      scripted('lee', { seats: 1 }),
      scripted('guide', {
        name: 'Guide',
        mediates: ['chat'],
        speaks: { on: 'keyword', words: ['help'] },
        script: [{ say: ['Somebody wrote: {{last}}'] }],
      }),
    ]
    const definition = giving(agents, { matching: { groupSize: 2 }, disclosure: { agents: 'hidden' } })
    const experimentId = await lobby.open(definition)
    const { sessions, roomId } = await lobby.seat(experimentId, 2)
    const sockets = await Promise.all(sessions.map((session) => lobby.connect(session)))
    const [ann] = sockets
    if (!ann) throw new Error('two people were seated')
    // An agent may have spoken before anybody came.
    const greeting = ({ text }: { text: string }) => text === 'Hello, I am here.'
    if (!ann.snapshot().messages.some(greeting))
      await ann.event('message', ({ message }) => greeting(message))
    await acknowledged(ann.act('send_message', { componentId: 'chat', text: 'HELP, please' }))
    await ann.event('message', ({ message }) => message.from === 'Guide')
    await Promise.all(sockets.map((socket) => give(socket, 5)))
    await Promise.all(sockets.map(finish))
    for (const socket of sockets) expect(JSON.stringify(socket.received)).not.toMatch(/agent/i)
    // The aliases are drawn, and the data have those that people saw.
    const lines = await lobby.exported(experimentId)
    for (const [index, socket] of sockets.entries()) {
      const { participantId } = sessions[index] ?? {}
      const aliases = lines.flatMap((line) => (line.participantId === participantId ? [line.alias] : []))
      expect(new Set(aliases)).toEqual(new Set([socket.snapshot().self.alias]))
    }
    expect((await lobby.seats(roomId)).map(({ outcome }) => outcome)).toEqual(Array(4).fill('SUCCESS'))
  })

  test('the example with an agent, and the one with two, are played to their ends', async () => {
    const nego = await lobby.join(await lobby.open(spedUp(example('negotiation-with-agent'))))
    const buyer = await lobby.connect(nego)
    await acknowledged(buyer.act('ready'))
    await buyer.event('message', ({ message }) => message.from === 'P2')
    await acknowledged(buyer.act('send_message', { text: '90' }))
    await buyer.event('message', ({ message }) => message.text.startsWith('I could go down'))
    await acknowledged(buyer.act('ready'))
    await buyer.event('state_entered', ({ state }) => state.id === 'price')
    await acknowledged(buyer.act('submit_response', { componentId: 'offer', value: 100 }))
    await buyer.event('state_entered', ({ state }) => state.id === 'result')
    await acknowledged(buyer.act('ready'))
    await buyer.event('finished', ({ outcome }) => outcome === 'SUCCESS')
    expect(await lobby.complete(nego, 'SUCCESS')).toMatchObject({ completionCode: 'NEGO-DONE' })

    const goods = spedUp(example('public-goods-with-agents'))
    const { sessions } = await lobby.seat(await lobby.open(goods), 2)
    const sockets = await Promise.all(sessions.map((session) => lobby.connect(session)))
    await Promise.all(sockets.map(playGoods))
  })
})

/** Its pauses and deadlines as they are, its agents without time to think. */
const spedUp = (definition: ExperimentDefinition): ExperimentDefinition => ({
  ...definition,
  states: definition.states.map((state) =>
    state.end?.on === 'timed' ? { ...state, end: { ...state.end, afterMs: 100 } } : state,
  ),
  agents: (definition.agents ?? []).map((agent) => ({ ...agent, pacing: quick })),
})

async function playGoods(socket: RoomSocket): Promise<void> {
  const value = { answers: { share: 'all four' } }
  await acknowledged(socket.act('submit_response', { componentId: 'check', value }))
  for (let round = 1; round <= 5; round++) {
    await socket.event('state_entered', ({ state }) => state.id === 'contribute' && state.round === round)
    await acknowledged(socket.act('submit_response', { componentId: 'contribution', value: 10 }))
  }
  await socket.event('state_entered', ({ state }) => state.id === 'debrief')
  await acknowledged(socket.act('ready'))
  await socket.event('finished', ({ outcome }) => outcome === 'SUCCESS')
}
