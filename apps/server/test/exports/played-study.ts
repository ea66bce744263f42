import { type ExperimentDefinition, participantRoutes } from '@atrium/contract'
import { type RoomSocket, succeeded } from '@atrium/testkit'
import { entered, example } from '../rooms/examples.ts'
import { acknowledged, type tableIn } from '../rooms/table.ts'

/** By round, then by seat. */
export const contributions = [
  [0, 5, 10, 20],
  [20, 20, 20, 20],
  [1, 2, 3, 4],
  [0, 0, 0, 0],
  [7, 13, 0, 19],
]

export const oddMessage = '=HYPERLINK("http://evil.example","click"), "quoted"\r\nsecond line\n– ünïcödé 🦉'

/** What a page may send as well, and what must not count: rooms take answers, pay and pass messages on. */
const pretended = [
  {
    type: 'component_response',
    componentId: 'check',
    data: { value: { answers: { share: 'only those who paid in' } } },
  },
  { type: 'payoff', data: { variable: 'points', value: 1_000_000 } },
  {
    type: 'variables_changed',
    data: { scope: 'participant', changes: [{ variable: 'points', value: 1_000_000 }] },
  },
  { type: 'variables_changed', data: { scope: 'room', changes: [{ variable: 'pot', value: 1_000_000 }] } },
  { type: 'chat_message', data: { messageId: 'own', text: 'never sent' } },
  { type: 'finished', data: { outcome: 'RICH' } },
].map((event) => ({ ...event, timestamp: 1_700_000_000_000 }))

/** The public goods game as it is, with a chat, and without waiting for people to read. */
export function publicGoodsWithChat(): ExperimentDefinition {
  const definition = example('public-goods')
  return {
    ...definition,
    completion: { ...definition.completion, payment: { currency: 'EUR', base: 2.5, bonus: 'points' } },
    globalComponents: [{ id: 'chat', type: 'chat' }],
    states: definition.states.map((state) =>
      state.id === 'feedback' ? { ...state, end: { on: 'timed', afterMs: 50 } } : state,
    ),
  }
}

/** Four people play to the end and complete. */
export async function playPublicGoods(table: ReturnType<typeof tableIn>, experimentId: string) {
  const { roomId, sessions } = await table.seat(experimentId, 4)
  const sockets = await Promise.all(sessions.map(table.connect))
  const [first] = sockets
  if (!first) throw new Error('nobody is there')
  await acknowledged(first.act('send_message', { text: oddMessage }))
  await each(sockets, async (socket) => {
    const answer = { componentId: 'check', value: { answers: { share: 'all four' } } }
    await acknowledged(socket.act('submit_response', answer))
  })
  for (const [index, given] of contributions.entries()) {
    await each(sockets, async (socket) => void (await entered(socket, 'contribute', index + 1)))
    await each(sockets, async (socket, seat) => {
      await acknowledged(socket.act('submit_response', { componentId: 'contribution', value: given[seat] }))
    })
  }
  await each(sockets, async (socket) => {
    await entered(socket, 'debrief')
    await acknowledged(socket.act('ready', { stateId: 'debrief' }))
  })
  await each(sockets, async (socket) => void (await socket.event('finished')))
  for (const session of sessions) {
    const options = { session, body: { events: pretended } }
    succeeded(await table.api.call(participantRoutes.eventsV4, options))
  }
  for (const session of sessions) await table.complete(session, 'SUCCESS')
  const seats = await table.seats(roomId)
  for (const socket of sockets) socket.close()
  return { roomId, sessions, seats }
}

const each = async (
  sockets: readonly RoomSocket[],
  act: (socket: RoomSocket, seat: number) => Promise<void>,
) => {
  for (const [seat, socket] of sockets.entries()) await act(socket, seat)
}
