import type { RoomEvent } from '@atrium/contract'
import { waitUntil } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { RoomClosed, RoomRefused } from '../errors.ts'
import type { ConnectionStatus } from '../socket/session-connection.ts'
import { snapshotOf, startFakeRoom, stateOf } from '../test/fake-room.ts'
import { patient, setUpPerson, setUpPlatform } from '../test/set-up.ts'
import { version } from '../version.ts'
import { connectRoom, type RoomOptions } from './connect-room.ts'

async function setUp(options: RoomOptions = {}) {
  const platform = await setUpPlatform()
  const fake = startFakeRoom(platform)
  const person = setUpPerson(platform)
  await person.participant.join('x')
  const statuses: ConnectionStatus[] = []
  const events: RoomEvent[] = []
  let snapshots = 0
  const connect = () => {
    const room = connectRoom(person.participant, {
      onStatus: (status) => statuses.push(status),
      onEvent: (event) => events.push(event),
      onSnapshot: () => snapshots++,
      ...options,
    })
    onTestFinished(() => room.close())
    return room
  }
  return { platform, fake, ...person, statuses, events, connect, snapshots: () => snapshots }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

const untilStatus = ({ statuses }: SetUp, kind: ConnectionStatus['kind']) =>
  waitUntil(() => statuses.at(-1)?.kind === kind || JSON.stringify(statuses.at(-1)))

const paused = (seq: number): RoomEvent => ({ type: 'paused', seq, at: 1, reason: 'break' })

test('[R24][R26] presents session, room and user agent, and keeps the view up to date', async () => {
  const set = await setUp()
  set.fake.setSnapshot(snapshotOf({ seq: 7 }))
  const room = set.connect()
  await untilStatus(set, 'connected')
  expect(set.fake.handshakes).toEqual([
    {
      sessionId: set.participant.session?.sessionId,
      roomId: 'room_ann',
      userAgent: `atrium-client/${version}`,
    },
  ])
  set.fake.emit(paused(6))
  set.fake.emit(paused(9))
  await waitUntil(() => room.view?.seq === 9 || `seq is ${room.view?.seq}`)
  expect(room.view?.status).toBe('paused')
  expect(set.events.map(({ seq }) => seq)).toEqual([9])
  expect(Math.abs(room.serverNow() - 5_000_000)).toBeLessThan(10_000)
})

test('an event that a newer server sends is counted and does no harm', async () => {
  const set = await setUp()
  const room = set.connect()
  await untilStatus(set, 'connected')
  set.fake.emitRaw('room_event', { type: 'fireworks', seq: 3, at: 1 })
  set.fake.emitRaw('room_event', 'nonsense')
  await waitUntil(() => room.view?.seq === 3 || 'not yet')
  expect(room.view?.state?.id).toBe('s1')
})

test('a broken connection is made again, with jitter, and the snapshot replaces the view', async () => {
  const set = await setUp()
  const room = set.connect()
  await untilStatus(set, 'connected')
  set.fake.setSnapshot(snapshotOf({ seq: 20, state: stateOf('s2', 2) }))
  set.fake.cutConnection()
  await waitUntil(() => set.snapshots() === 2 || 'no second snapshot')
  expect(room.view).toMatchObject({ seq: 20, state: { id: 's2' } })
  // A server that loses the room says goodbye, after which socket.io alone would stay away.
  set.fake.dropAll()
  await waitUntil(() => set.snapshots() === 3 || 'no third snapshot')
  expect(set.statuses.filter(({ kind }) => kind === 'reconnecting')).toHaveLength(2)
})

test('a lost session is joined again and presented anew', async () => {
  const set = await setUp()
  set.connect()
  await untilStatus(set, 'connected')
  const former = set.participant.session?.sessionId
  set.platform.revokeAll()
  set.fake.dropAll()
  await waitUntil(() => set.snapshots() === 2 || 'not back yet')
  expect(set.participant.session?.sessionId).not.toBe(former)
  expect(set.fake.handshakes.at(-1)?.sessionId).toBe(set.participant.session?.sessionId)
  expect(set.statuses.map(({ kind }) => kind)).toContain('rejoining')
})

test('when joining again is refused the room fails and says so', async () => {
  const set = await setUp()
  const room = set.connect()
  await untilStatus(set, 'connected')
  set.platform.revokeAll()
  set.platform.closeExperiment('status')
  set.fake.dropAll()
  await untilStatus(set, 'failed')
  await expect(room.ready()).rejects.toThrow(RoomClosed)
})

test('ROOM_ELSEWHERE and UNAVAILABLE are tried again; SESSION_MISMATCH is final', async () => {
  const set = await setUp()
  set.fake.refusals.push('ROOM_ELSEWHERE', 'UNAVAILABLE', 'RATE_LIMITED')
  set.connect()
  await untilStatus(set, 'connected')
  expect(set.fake.handshakes).toHaveLength(4)
  set.fake.refusals.push('SESSION_MISMATCH')
  set.fake.dropAll()
  await untilStatus(set, 'failed')
  expect(set.statuses.at(-1)).toMatchObject({ kind: 'failed', code: 'SESSION_MISMATCH' })
  expect(set.platform.requests.filter(({ endpoint }) => endpoint === 'join')).toHaveLength(1)
})

test('[R10] a connection that is RATE_LIMITED stays away for as long as the server asks', async () => {
  const set = await setUp()
  set.fake.refusals.push({ code: 'RATE_LIMITED', retryAfterSeconds: 7 })
  set.connect()
  await untilStatus(set, 'connected')
  const waits = set.statuses.flatMap((status) => (status.kind === 'reconnecting' ? [status.delayMs] : []))
  expect(waits).toHaveLength(1)
  expect(waits[0]).toBeGreaterThanOrEqual(7_000)
})

test.each(['NOT_FOUND', 'FORBIDDEN'] as const)(
  '[R24] %s is final: nothing changes by trying',
  async (code) => {
    const set = await setUp()
    set.fake.refusals.push(code)
    set.connect()
    await untilStatus(set, 'failed')
    expect(set.statuses.at(-1)).toMatchObject({ kind: 'failed', code })
    expect(set.fake.handshakes).toHaveLength(1)
  },
)

test('[R26] actions are acknowledged in order, whatever happens on the way, and applied once', async () => {
  const set = await setUp()
  const room = set.connect()
  await untilStatus(set, 'connected')
  set.fake.mishaps.push(
    'drop_reply',
    'lose_connection',
    'silence',
    { code: 'RATE_LIMITED' },
    { code: 'INTERNAL' },
  )
  const results = [
    room.submitResponse('c1', 4, { responseTime: 250 }),
    room.sendMessage('hello', 'chat'),
    room.ready(),
    room.leave('tired'),
  ]
  expect(room.unsafe()).toBe(4)
  expect(set.participant.unsafe()).toBe(4)
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4])
  expect(set.fake.applied.size).toBe(4)
  const names = [...set.fake.applied.keys()].map(
    (id) => set.fake.received.find(({ payload }) => payload.actionId === id)?.name,
  )
  expect(names).toEqual(['submit_response', 'send_message', 'ready', 'leave'])
  expect(set.fake.received[0]?.payload).toMatchObject({
    componentId: 'c1',
    value: 4,
    responseTime: 250,
    stateId: 's1',
  })
  await set.participant.flush(patient)
  expect(set.participant.unsafe()).toBe(0)
})

test('a refusal rejects its action alone', async () => {
  const set = await setUp()
  const room = set.connect()
  await untilStatus(set, 'connected')
  set.fake.mishaps.push({ code: 'ACTION_REFUSED' })
  const [refused, stored] = await Promise.allSettled([room.ready(), room.sendMessage('still here')])
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'ACTION_REFUSED' } })
  expect(refused.status === 'rejected' && refused.reason).toBeInstanceOf(RoomRefused)
  expect(stored.status).toBe('fulfilled')
  expect(room.unsafe()).toBe(0)
})

test('[R26,R93] what was measured is left out where a room does not take it, so that what was done is stored', async () => {
  const set = await setUp()
  const properties = ['actionId', 'componentId', 'value', 'text', 'stateId', 'visit', 'responseTime']
  set.fake.knowOnly(properties)
  const room = set.connect()
  await untilStatus(set, 'connected')
  set.fake.mishaps.push('silence')
  const timing = { responseTime: 250, firstInteractionMs: 90, changes: 1, paradata: { pasteCount: 1 } }
  const results = [
    room.submitResponse('c1', 4, timing),
    room.sendMessage('hello', 'chat'),
    room.ready(),
    room.leave('tired'),
  ]
  const outcomes = await Promise.allSettled(results)
  expect(outcomes.slice(0, 3)).toEqual([1, 2, 3].map((value) => ({ status: 'fulfilled', value })))
  // Nothing is measured of it, so it is refused once.
  expect(outcomes[3]).toMatchObject({ status: 'rejected', reason: { code: 'VALIDATION_FAILED' } })
  const names = set.fake.received.map(({ name }) => name)
  expect(names.filter((name) => name === 'leave')).toHaveLength(1)
  expect(set.fake.received[2]?.payload).toEqual({
    ...{ actionId: set.fake.received[0]?.payload.actionId, componentId: 'c1', value: 4 },
    ...{ stateId: 's1', visit: 1, responseTime: 250 },
  })
  expect(set.fake.received[0]?.payload).toMatchObject({ ...timing, clientTime: expect.any(Number) })
})

test('an action made while offline is sent once the room is there', async () => {
  const set = await setUp()
  set.fake.refusals.push('UNAVAILABLE', 'UNAVAILABLE')
  const room = set.connect()
  expect(await room.submitResponse('c1', true)).toBe(1)
})

test('the own response is in the view once it is acknowledged, unless the room has moved on', async () => {
  const set = await setUp()
  const room = set.connect()
  await untilStatus(set, 'connected')
  await room.submitResponse('c1', [1, 2])
  expect(room.view?.self.responses).toEqual({ c1: [1, 2] })
  set.fake.emit({
    type: 'state_entered',
    seq: 5,
    at: 1,
    state: stateOf('s2', 2),
    globalComponents: [],
    progress: { done: 1, of: 3 },
  })
  await waitUntil(() => room.view?.state?.id === 's2' || 'not moved yet')
  expect(room.view?.self.responses).toEqual({})
})

test('what was done on a page that lags behind is for the visit that it showed', async () => {
  const set = await setUp()
  set.fake.setSnapshot(snapshotOf({ state: stateOf('s1', 2) }))
  const room = set.connect()
  await untilStatus(set, 'connected')
  await room.submitResponse('c1', 4, { visit: 1, responseTime: 250 })
  await room.ready({ visit: 1 })
  await room.ready()
  expect(set.fake.received.map(({ payload }) => payload.visit)).toEqual([1, 1, 2])
  expect(room.view?.self.responses).toEqual({})
})

test('a second tab takes the seat: told as replaced, not fought for', async () => {
  const set = await setUp()
  const room = set.connect()
  await untilStatus(set, 'connected')
  set.fake.mishaps.push('silence')
  const open = room.ready().catch((error: unknown) => error)
  await waitUntil(() => set.fake.received.length === 1 || 'not received')
  set.fake.emitRaw('replaced', {})
  set.fake.dropAll()
  await untilStatus(set, 'replaced')
  expect(await open).toBeInstanceOf(RoomClosed)
  expect(set.participant.unsafe()).toBe(0)
  expect(set.fake.handshakes).toHaveLength(1)
  await waitUntil(() => set.fake.connections() === 0 || 'still connected')
})

test('close ends it; a room that is not matched yet cannot be entered', async () => {
  const set = await setUp()
  const room = set.connect()
  await untilStatus(set, 'connected')
  room.close()
  expect(room.status.kind).toBe('closed')
  await waitUntil(() => set.fake.connections() === 0 || 'still connected')
  expect(() => connectRoom(set.participant, { roomId: 'waiting_x' })).toThrow('no room yet')
})
