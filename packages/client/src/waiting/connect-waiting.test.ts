import type { WaitingEnded, WaitingStatus } from '@atrium/contract'
import { waitUntil } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { NotJoined, RoomRefused, WaitingClosed } from '../errors.ts'
import type { ConnectionStatus } from '../socket/session-connection.ts'
import { startFakeRoom } from '../test/fake-room.ts'
import { openFakeSockets } from '../test/fake-sockets.ts'
import { assignedTo, endedBy, startFakeWaiting, statusOf } from '../test/fake-waiting.ts'
import { setUpPerson, setUpPlatform } from '../test/set-up.ts'
import { version } from '../version.ts'
import { connectWaiting } from './connect-waiting.ts'
import { takePart } from './take-part.ts'

async function setUp() {
  const platform = await setUpPlatform()
  platform.setRoom('waiting_x')
  const sockets = openFakeSockets(platform)
  const fake = startFakeWaiting(platform, sockets)
  const person = setUpPerson(platform)
  await person.participant.join('x')
  const statuses: WaitingStatus[] = []
  const endings: WaitingEnded[] = []
  const connections: ConnectionStatus[] = []
  const connect = () => {
    const waiting = connectWaiting(person.participant, {
      onStatus: (status) => statuses.push(status),
      onEnded: (ended) => endings.push(ended),
      onConnection: (status) => connections.push(status),
    })
    onTestFinished(() => waiting.close())
    return waiting
  }
  return { platform, sockets, fake, ...person, statuses, endings, connections, connect }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

const untilConnection = ({ connections }: SetUp, kind: ConnectionStatus['kind']) =>
  waitUntil(() => connections.at(-1)?.kind === kind || JSON.stringify(connections.at(-1)))

const assignment = { name: 'room_assigned', payload: assignedTo('room_7') } as const

test('[R24][R25] presents the session, tells where one stands, and gives the room to the session', async () => {
  const set = await setUp()
  const waiting = set.connect()
  await untilConnection(set, 'connected')
  const sessionId = set.participant.session?.sessionId
  expect(set.fake.handshakes).toEqual([
    { sessionId, roomId: undefined, userAgent: `atrium-client/${version}` },
  ])
  set.fake.say({ name: 'waiting_status', payload: statusOf({ waiting: 3, needed: 1 }) })
  await waitUntil(() => waiting.status?.needed === 1 || 'not told yet')
  expect(set.statuses.map(({ needed }) => needed)).toEqual([3, 1])
  set.fake.say(assignment)
  expect(await waiting.assigned).toEqual(assignment.payload)
  expect(set.participant.session).toMatchObject({ sessionId, roomId: 'room_7' })
  expect(waiting.connection.kind).toBe('closed')
  await waitUntil(() => set.fake.connections() === 0 || 'still connected')
  await expect(waiting.leave()).rejects.toThrow(WaitingClosed)
})

test('[R25] an assignment that was missed is given on the next connection', async () => {
  const set = await setUp()
  const waiting = set.connect()
  await untilConnection(set, 'connected')
  set.fake.refusals.push('UNAVAILABLE')
  set.fake.dropAll()
  // It may be back before anyone looks.
  await waitUntil(() => set.connections.some(({ kind }) => kind === 'reconnecting') || 'still connected')
  set.fake.say(assignment)
  expect((await waiting.assigned).roomId).toBe('room_7')
})

test('a lost session is joined again; the wait goes on', async () => {
  const set = await setUp()
  set.connect()
  await untilConnection(set, 'connected')
  const former = set.participant.session?.sessionId
  set.platform.revokeAll()
  set.fake.dropAll()
  await waitUntil(() => set.statuses.length === 2 || 'not back yet')
  expect(set.fake.handshakes.at(-1)?.sessionId).not.toBe(former)
  expect(set.connections.map(({ kind }) => kind)).toContain('rejoining')
})

test('a wait that ends says why, and a code means that the session is completed', async () => {
  const set = await setUp()
  const waiting = set.connect()
  await untilConnection(set, 'connected')
  const ended = endedBy('deadline', 'WAITED')
  set.fake.say({ name: 'waiting_ended', payload: ended })
  const failure = await waiting.assigned.catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(WaitingClosed)
  expect(failure).toMatchObject({ ended })
  expect(set.endings).toEqual([ended])
  expect(set.participant.status.kind).toBe('completed')
  expect(set.fake.handshakes).toHaveLength(1)
})

test('a handshake that is refused for good ends the wait with the reason', async () => {
  const set = await setUp()
  set.fake.refusals.push('UNAVAILABLE', 'EXPERIMENT_CLOSED')
  const waiting = set.connect()
  await expect(waiting.assigned).rejects.toThrow('EXPERIMENT_CLOSED')
  expect(waiting.connection).toMatchObject({ kind: 'failed', code: 'EXPERIMENT_CLOSED' })
  expect(set.fake.handshakes).toHaveLength(2)
})

test('leaving is acknowledged, over a lost connection; a refusal is said', async () => {
  const set = await setUp()
  const waiting = set.connect()
  set.fake.mishaps.push('lose_connection', { code: 'RATE_LIMITED' })
  await waiting.leave('hungry')
  expect(set.fake.leaves).toEqual([{ reason: 'hungry' }, { reason: 'hungry' }, { reason: 'hungry' }])
  set.fake.mishaps.push({ code: 'ACTION_REFUSED' })
  await expect(waiting.leave()).rejects.toThrow(RoomRefused)
  set.fake.mishaps.push('end_first')
  await waiting.leave()
  await expect(waiting.assigned).rejects.toMatchObject({ ended: { reason: 'left' } })
})

test('close goes without a word', async () => {
  const set = await setUp()
  const waiting = set.connect()
  await untilConnection(set, 'connected')
  waiting.close()
  await expect(waiting.assigned).rejects.toThrow(WaitingClosed)
  await waitUntil(() => set.fake.connections() === 0 || 'still connected')
  expect(set.fake.leaves).toEqual([])
  expect(() => connectWaiting(setUpPerson(set.platform).participant)).toThrow(NotJoined)
})

test('takePart waits where there is a group to wait for, and enters the room', async () => {
  const set = await setUp()
  const fakeRoom = startFakeRoom(set.platform, set.sockets)
  let waits = 0
  const entering = takePart(set.participant, { onWaiting: () => waits++ })
  set.fake.say(assignment)
  const room = await entering
  await waitUntil(() => room.view !== null || 'no snapshot yet')
  expect(fakeRoom.handshakes).toMatchObject([{ roomId: 'room_7' }])
  room.close()
  const again = await takePart(set.participant, { onWaiting: () => waits++ })
  await waitUntil(() => again.view !== null || 'no snapshot yet')
  expect(waits).toBe(1)
  again.close()
})

test('[W14] another tab takes the wait over: told as replaced, not fought for', async () => {
  const set = await setUp()
  const waiting = set.connect()
  await untilConnection(set, 'connected')
  set.fake.emitRaw('replaced', {})
  set.fake.dropAll()
  await untilConnection(set, 'replaced')
  await expect(waiting.assigned).rejects.toThrow(WaitingClosed)
  await waitUntil(() => set.fake.connections() === 0 || 'still connected')
  expect(set.fake.handshakes).toHaveLength(1)
})
