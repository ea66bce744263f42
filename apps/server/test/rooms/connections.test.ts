import { roomRoutes } from '@atrium/contract'
import {
  codeOf,
  createApi,
  describeInBothModes,
  openRoomSocket,
  type RoomSocket,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, it } from 'vitest'
import { pseudonymOf } from '../../src/kernel/ids.ts'
import { moveExpiry } from '../stories/database.ts'
import { openRawSocket } from './raw-socket.ts'
import { readRows } from './rows.ts'
import { acknowledged, refused, tableIn } from './table.ts'

const timed = { on: 'timed' as const, afterMs: 3_600_000 }
const pair = {
  name: 'Pair',
  states: [
    {
      id: 'ask',
      components: [
        { id: 'rate', type: 'slider' },
        { id: 'note', type: 'text_input', required: false },
      ],
      end: timed,
    },
    { id: 'talk', components: [{ id: 'chat', type: 'chat' }] },
    { id: 'last', components: [] },
  ],
  variables: { mood: 0 },
  matching: { groupSize: 2 },
}
const solo = { ...pair, matching: { groupSize: 1 } }
const isClosed = (socket: RoomSocket) => () => !socket.isConnected() || 'it is still open'

describeInBothModes('A connection to a room', (world) => {
  const table = tableIn(world)

  it('[R24] is refused with a code without a session, with a wrong token, or from a different browser', async () => {
    const session = await table.join(await table.open(solo))
    const withoutToken = { ...session }
    Reflect.deleteProperty(withoutToken, 'sessionToken')
    expect(await table.refusal(withoutToken)).toBe('SESSION_INVALID')
    expect(await table.refusal({ ...session, sessionToken: `${session.sessionToken}x` })).toBe(
      'SESSION_INVALID',
    )
    expect(await table.refusal({ ...session, sessionId: `sess_${'A'.repeat(43)}` })).toBe('SESSION_INVALID')
    expect(await table.refusal(session, 'another-browser/1.0')).toBe('SESSION_INVALID')
    expect(await table.refusal(session, 'atrium-test/2.0')).toBe('connected')
  })

  it('[R16,R24] is refused for any room other than the session’s', async () => {
    const experimentId = await table.open(solo)
    const [session, foreign] = [await table.join(experimentId), await table.join(experimentId)]
    for (const roomId of [foreign.roomId, 'room_nothing', '', `waiting_${experimentId}`])
      expect(await table.refusal({ ...session, roomId })).toBe('SESSION_MISMATCH')
    const waiting = await table.join(await table.open(pair))
    expect(await table.refusal(waiting)).toBe('ROOM_NOT_FOUND')
  })

  it('[R15,R24] is refused for sessions that have ended', async () => {
    const experimentId = await table.open(solo)
    const [completed, revoked] = [await table.join(experimentId), await table.join(experimentId)]
    await table.complete(completed, 'TIMEOUT')
    await table.revoke(revoked.sessionId)
    expect(await table.refusal(completed)).toBe('SESSION_COMPLETED')
    expect(await table.refusal(revoked)).toBe('SESSION_INVALID')
  })

  it('[RM53] begins with a snapshot, followed by events in order, each sent only to its audience', async () => {
    const { sessions } = await table.seat(await table.open(pair), 2)
    const [first, second] = await Promise.all(sessions.map(table.connect))
    if (!first || !second) throw new Error('expected two sockets')
    expect(first.received[0]).toMatchObject({ name: 'room_snapshot' })
    expect(first.snapshot()).toMatchObject({ status: 'running', state: { id: 'ask' }, self: { alias: 'P1' } })
    const seq = await acknowledged(first.act('submit_response', { componentId: 'rate', value: 5 }))
    expect(await second.event('response_recorded')).toMatchObject({ alias: 'P1', seq })
    await Promise.all(
      [1, 2, 3, 4, 5].map((number) =>
        acknowledged(
          first.act('submit_response', { componentId: number % 2 ? 'x' : 'rate', value: 1 }),
        ).catch(() => 0),
      ),
    )
    await acknowledged(second.act('submit_response', { componentId: 'rate', value: 9 }))
    await first.event('response_recorded', ({ alias }) => alias === 'P2')
    for (const socket of [first, second]) {
      const numbers = socket.events.map((event) => event.seq)
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      expect(Math.min(...numbers)).toBeGreaterThan(socket.snapshot().seq)
      socket.close()
    }
  })

  it('[R26,RM49] acknowledges an action once it is stored; a repeated id gets the same acknowledgement', async () => {
    const experimentId = await table.open(solo)
    const room = await table.connect(await table.join(experimentId))
    const response = { actionId: 'mine', componentId: 'rate', value: 5 }
    const seq = await acknowledged(room.act('submit_response', response))
    const again = await Promise.all(
      [1, 2, 3].map(() => acknowledged(room.act('submit_response', { ...response, value: 6 }))),
    )
    expect(again).toEqual([seq, seq, seq])
    expect(await refused(room.act('submit_response', { ...response, actionId: 'other' }))).toBe(
      'ACTION_REFUSED',
    )
    expect(await refused(room.act('submit_response', { ...response, actionId: '' }))).toBe(
      'VALIDATION_FAILED',
    )
    const responses = (await table.exported(experimentId)).filter(({ type }) => type === 'component_response')
    expect(responses.map(({ data }) => data.value)).toEqual([5])
    room.close()
  })

  it('[RM53] after a reload everything is unchanged: state, responses, deadline', async () => {
    const { sessions, roomId } = await table.seat(await table.open(pair), 2)
    const [first, second] = await Promise.all(sessions.map(table.connect))
    const [session] = sessions
    if (!first || !second || !session) throw new Error('expected two sockets')
    await acknowledged(first.act('submit_response', { componentId: 'rate', value: 5 }))
    const before = first.snapshot()
    first.close()
    await second.event('presence', ({ presence }) => presence === 'away')
    const back = await table.connect(session)
    expect(back.snapshot()).toMatchObject({
      state: before.state,
      self: { ...before.self, responses: { rate: 5 } },
      others: [{ alias: 'P2', presence: 'connected', status: 'active' }],
    })
    expect(back.snapshot().seq).toBeGreaterThan(before.seq)

    // Too late: the room has moved on.
    back.close()
    await table.advance(roomId)
    await acknowledged(second.act('send_message', { text: 'where are you?' }))
    const late = await table.connect(session)
    expect(late.snapshot()).toMatchObject({
      state: { id: 'talk', visit: 2 },
      self: { responses: {} },
      messages: [{ from: 'P2', text: 'where are you?' }],
    })
    expect(
      await refused(late.act('submit_response', { componentId: 'rate', value: 1, stateId: 'ask' })),
    ).toBe('ACTION_REFUSED')
    for (const socket of [late, second]) socket.close()
  })

  it('[RM54] a second tab takes over; the first is told and closed', async () => {
    const { sessions, roomId } = await table.seat(await table.open(pair), 2)
    const [session] = sessions
    if (!session) throw new Error('expected a session')
    const first = await table.connect(session)
    const second = await table.connect(session)
    await waitUntil(isClosed(first))
    expect(first.received.at(-1)?.name).toBe('replaced')
    await acknowledged(second.act('submit_response', { componentId: 'rate', value: 5 }))
    expect((await table.seats(roomId))[0]).toMatchObject({ presence: 'connected', status: 'active' })
    expect(second.events.map(({ type }) => type)).not.toContain('presence')
    second.close()
  })

  it('[R14] joining again closes the socket of the previous session, and the new one works', async () => {
    const experimentId = await table.open(solo)
    const session = await table.join(experimentId)
    const former = await table.connect(session)
    await acknowledged(former.act('submit_response', { componentId: 'rate', value: 5 }))
    const renewed = await session.joinAgain()
    expect(renewed.roomId).toBe(session.roomId)
    await waitUntil(isClosed(former))
    expect(former.received.at(-1)).toMatchObject({ name: 'session_ended', payload: { status: 'revoked' } })
    const room = await table.connect(renewed)
    expect(room.snapshot()).toMatchObject({ state: { id: 'ask' }, self: { responses: { rate: 5 } } })
    await acknowledged(room.act('submit_response', { componentId: 'note', value: 'back' }))
    const lines = await table.exported(experimentId)
    expect(
      lines.filter(({ type }) => type === 'component_response').map(({ sessionId }) => sessionId),
    ).toEqual([session, renewed].map(({ sessionId }) => pseudonymOf(sessionId)))
    room.close()
  })

  it('[R15] closes when the session is revoked, on any instance', async () => {
    const experimentId = await table.open(solo)
    for (const { http } of world().servers) {
      const session = await table.join(experimentId)
      const room = await table.connect(session)
      await table.revoke(session.sessionId, createApi(http))
      await waitUntil(isClosed(room))
      expect(room.received.at(-1)).toMatchObject({ name: 'session_ended', payload: { status: 'revoked' } })
    }
  })

  it('[R15] closes when the session is completed or expires', async () => {
    const experimentId = await table.open(solo)
    const [completed, expired] = [await table.join(experimentId), await table.join(experimentId)]
    const rooms = [await table.connect(completed), await table.connect(expired)]
    await table.complete(completed, 'TIMEOUT')
    await moveExpiry(world(), expired.sessionId, Date.now() - 1_000)
    for (const room of rooms) await waitUntil(isClosed(room))
    expect(rooms.map((room) => room.received.at(-1)?.payload)).toEqual([
      { status: 'completed' },
      { status: 'expired' },
    ])
  })

  it('[R15,R24] strangers are refused, and do not keep other sessions from being closed', async () => {
    const stranger = await openRawSocket(table.server().http)
    stranger.send('40')
    await waitUntil(
      () => stranger.received.some((packet) => packet.startsWith('44')) || stranger.received.join(' '),
    )
    const session = await table.join(await table.open(solo))
    const room = await table.connect(session)
    await table.revoke(session.sessionId)
    await waitUntil(isClosed(room))
    stranger.close()
  })

  it('[R30,RM52] a room held by another living instance is not taken over', async () => {
    const session = await table.join(await table.open(solo))
    const room = await table.connect(session)
    const other = world().servers.at(-1) ?? table.server()
    const { token } = await table.researcher()
    const message = { token, params: { roomId: session.roomId }, body: { text: 'Hello' } }
    const answer = await createApi(other.http).call(roomRoutes.message, message)
    if (other === table.server()) succeeded(answer)
    else {
      expect(codeOf(answer)).toBe('ROOM_ELSEWHERE')
      await expect(openRoomSocket(other.http, session)).rejects.toMatchObject({ code: 'ROOM_ELSEWHERE' })
    }
    await acknowledged(room.act('submit_response', { componentId: 'rate', value: 5 }))
    const rows = await readRows(world(), `select epoch from rooms where room_id = '${session.roomId}'`)
    expect(rows.map(({ epoch }) => Number(epoch))).toEqual([1])
    room.close()
  })

  it('[R26] accepts a burst of actions, then limits the rate', async () => {
    const room = await table.connect(await table.join(await table.open(solo)))
    const acks = await Promise.all(
      // Far more than the rate allows while they are processed.
      Array.from({ length: 600 }, () =>
        refused(room.act('submit_response', { componentId: 'nothing', value: 1 })),
      ),
    )
    expect(acks.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 'ACTION_REFUSED'))
    expect(acks).toContain('RATE_LIMITED')
    expect(room.isConnected()).toBe(true)
    room.close()
  })

  it('[R26] closes when a message is too large; the participant may reconnect', async () => {
    const session = await table.join(await table.open(solo))
    const room = await table.connect(session)
    room.act('submit_response', { componentId: 'note', value: 'x'.repeat(140_000) }).catch(() => undefined)
    await waitUntil(isClosed(room))
    const back = await table.connect(session)
    expect(back.snapshot().self.responses).toEqual({})
    back.close()
  })

  it('[R26] is counted, and so is its end, by reason', async () => {
    const metric = async (name: string): Promise<number> => {
      const text = await (await fetch(`${table.server().metrics}/metrics`)).text()
      const lines = text.split('\n').filter((line) => line.startsWith(name))
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    }
    await waitUntil(
      async () => (await metric('socketio_connected_clients')) === 0 || 'others are still connected',
    )
    const room = await table.connect(await table.join(await table.open(solo)))
    expect(await metric('socketio_connected_clients')).toBe(1)
    const ended = await metric('socketio_disconnect_total{reason="client namespace disconnect"')
    room.close()
    await waitUntil(async () => (await metric('socketio_connected_clients')) === 0 || 'it is still counted')
    expect(await metric('socketio_disconnect_total{reason="client namespace disconnect"')).toBe(ended + 1)
  })
})
