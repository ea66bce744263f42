import type { ErrorCode, RoomAck, RoomActionName, RoomEvent, RoomSnapshot } from '@atrium/contract'
import { roomActions } from '@atrium/contract'
import { Server, type Socket } from 'socket.io'
import { onTestFinished } from 'vitest'
import type { FakePlatform } from './fake-platform.ts'

export const snapshotOf = (more: Partial<RoomSnapshot> = {}): RoomSnapshot => ({
  roomId: 'room_ann',
  experimentId: 'x',
  seq: 0,
  serverTime: 5_000_000,
  status: 'running',
  condition: null,
  self: {
    participantId: 'part_ann',
    alias: 'P1',
    role: 'participant',
    status: 'active',
    outcome: null,
    ready: false,
    responses: {},
    results: {},
    variables: {},
  },
  others: [{ alias: 'P2', role: 'participant', status: 'active', presence: 'connected', ready: false }],
  state: stateOf('s1', 1),
  globalComponents: [],
  variables: {},
  messages: [],
  progress: { done: 0, of: 3 },
  ...more,
})

export const stateOf = (id: string, visit: number): NonNullable<RoomSnapshot['state']> => ({
  ...{ id, visit, name: null, instructions: null, round: null, rounds: null, enteredAt: 0, deadlineAt: null },
  ...{ endsOn: 'button', buttonLabel: null, components: [], isWaiting: false },
})

export interface Received {
  name: RoomActionName
  payload: { actionId: string } & Record<string, unknown>
}

/** What the room does with the next action, instead of storing and acknowledging it. */
type RoomMishap = 'drop_reply' | 'lose_connection' | 'silence' | { code: ErrorCode }

/** `/experiment` on the same server as the fake platform: admits its living sessions, and misbehaves on request. */
export function startFakeRoom(platform: FakePlatform) {
  const io = new Server(platform.server, { transports: ['websocket'] })
  const namespace = io.of('/experiment')
  const received: Received[] = []
  const applied = new Map<string, number>()
  const handshakes: { sessionId: unknown; roomId: unknown; userAgent: unknown }[] = []
  const mishaps: RoomMishap[] = []
  const refusals: ErrorCode[] = []
  let snapshot = snapshotOf()
  let socket: Socket | undefined

  namespace.use((candidate, next) => {
    const { sessionId, sessionToken } = candidate.handshake.auth
    handshakes.push({
      sessionId,
      roomId: candidate.handshake.query.roomId,
      userAgent: candidate.handshake.headers['user-agent'],
    })
    const session = platform.sessions.get(String(sessionId))
    const isGood = session && !session.isRevoked && sessionToken === `stkn_${sessionId}`
    const code = refusals.shift() ?? (isGood ? undefined : 'SESSION_INVALID')
    next(code && Object.assign(new Error(code), { data: { code } }))
  })

  function handle(name: RoomActionName, payload: Received['payload'], reply: (ack: RoomAck) => void): void {
    received.push({ name, payload })
    const mishap = mishaps.shift()
    if (mishap === 'silence') return
    if (mishap === 'lose_connection') return void socket?.conn.close()
    if (typeof mishap === 'object')
      return void reply({ ok: false, error: { code: mishap.code, message: mishap.code } })
    const seq = applied.get(payload.actionId) ?? snapshot.seq + 1
    if (!applied.has(payload.actionId)) snapshot = { ...snapshot, seq }
    applied.set(payload.actionId, seq)
    if (mishap === 'drop_reply') return void socket?.conn.close()
    reply({ ok: true, seq })
  }

  namespace.on('connection', (connected) => {
    socket = connected
    connected.emit('room_snapshot', snapshot)
    for (const name of Object.keys(roomActions) as RoomActionName[])
      connected.on(name, (payload, reply) => handle(name, payload, reply))
  })
  onTestFinished(() => void io.close())

  return {
    ...{ received, applied, handshakes, mishaps, refusals },
    connections: () => namespace.sockets.size,
    setSnapshot(next: RoomSnapshot): void {
      snapshot = next
    },
    emit: (event: RoomEvent) => void namespace.emit('room_event', event),
    emitRaw: (name: string, payload: unknown) => void namespace.emit(name, payload),
    /** As the server does when it loses a room. */
    dropAll: () => void namespace.disconnectSockets(true),
    cutConnection: () => void socket?.conn.close(),
  }
}
