import { randomUUID } from 'node:crypto'
import { RoomAck, type RoomActionName, type RoomEvent, type RoomSnapshot } from '@atrium/contract'
import { io } from 'socket.io-client'
import { Compile } from 'typebox/compile'
import { undocumentedEvent } from './documented-events.ts'
import { waitUntil } from './wait.ts'

export interface SocketSession {
  sessionId: string
  sessionToken: string
  roomId: string
}

const acks = Compile(RoomAck)

/** A refused handshake with the server's error code. */
export class HandshakeRefused extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export type RoomSocket = Awaited<ReturnType<typeof openRoomSocket>>

/**
 * A bare socket in a room, below the SDK, so that stories see exactly what is on the wire. Everything the server sends is
 * checked against the contract.
 */
export async function openRoomSocket(address: string, session: SocketSession, userAgent = 'atrium-test/1.0') {
  const received: RoomEvent[] = []
  const faults: string[] = []
  const others: { name: string; payload: unknown }[] = []
  let snapshot: RoomSnapshot | undefined
  const socket = io(`${address}/experiment`, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    timeout: 60_000,
    query: { roomId: session.roomId },
    auth: { sessionId: session.sessionId, sessionToken: session.sessionToken },
    extraHeaders: { 'user-agent': userAgent },
  })
  socket.on('room_snapshot', (payload: unknown) => {
    snapshot = payload as RoomSnapshot
  })
  socket.on('room_event', (payload: unknown) => {
    received.push(payload as RoomEvent)
  })
  socket.onAny((name: string, payload: unknown) => {
    others.push({ name, payload })
    faults.push(...undocumentedEvent('/experiment', name, payload))
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('room_snapshot', () => resolve())
    socket.once('connect_error', (error: Error & { data?: { code?: string } }) => {
      socket.close()
      reject(new HandshakeRefused(error.data?.code ?? '', error.message))
    })
    socket.once('disconnect', (reason) =>
      reject(new HandshakeRefused('', `closed before the snapshot: ${reason}`)),
    )
  })

  return {
    events: received,
    /** Everything received, by name, including what is neither snapshot nor event. */
    received: others,
    snapshot: (): RoomSnapshot => {
      if (faults.length > 0)
        throw new Error(`the server sent something outside the contract: ${faults.join('; ')}`)
      if (!snapshot) throw new Error('there is no snapshot yet')
      return snapshot
    },
    isConnected: (): boolean => socket.connected,
    /** Resolves with the acknowledgement. Pass an `actionId` to repeat an action. */
    async act(name: RoomActionName, payload: Record<string, unknown> = {}): Promise<RoomAck> {
      const ack: unknown = await socket
        .timeout(240_000)
        .emitWithAck(name, { actionId: randomUUID(), ...payload })
      if (!acks.Check(ack)) throw new Error(`not an acknowledgement: ${JSON.stringify(ack)}`)
      return ack as RoomAck
    },
    /** The first event since the start that fits; waits for it if necessary. */
    async event<Type extends RoomEvent['type']>(
      type: Type,
      fits: (event: Extract<RoomEvent, { type: Type }>) => boolean = () => true,
    ): Promise<Extract<RoomEvent, { type: Type }>> {
      const find = () =>
        received.find((one) => one.type === type && fits(one as Extract<RoomEvent, { type: Type }>))
      await waitUntil(
        () => find() !== undefined || `no ${type} among ${received.map((one) => one.type).join(', ')}`,
      )
      if (faults.length > 0)
        throw new Error(`the server sent something outside the contract: ${faults.join('; ')}`)
      return find() as Extract<RoomEvent, { type: Type }>
    },
    close: (): void => void socket.close(),
  }
}
