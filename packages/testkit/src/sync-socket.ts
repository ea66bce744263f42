import { ClockPong, type PlaybackState, RoomAck, type SyncActionName } from '@atrium/contract'
import { io } from 'socket.io-client'
import { Compile } from 'typebox/compile'
import { undocumentedEvent } from './documented-events.ts'
import { HandshakeRefused, type SocketSession } from './room-socket.ts'
import { waitUntil } from './wait.ts'

const pongs = Compile(ClockPong)
const acks = Compile(RoomAck)

export type SyncSocket = Awaited<ReturnType<typeof openSyncSocket>>

/** A bare socket on `/sync`. Everything the server sends is checked against the contract. */
export async function openSyncSocket(address: string, session: SocketSession, userAgent = 'atrium-test/1.0') {
  const received: PlaybackState[] = []
  const faults: string[] = []
  const listeners = new Set<(state: PlaybackState) => void>()
  const socket = io(`${address}/sync`, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    timeout: 60_000,
    query: { roomId: session.roomId },
    auth: { sessionId: session.sessionId, sessionToken: session.sessionToken },
    extraHeaders: { 'user-agent': userAgent },
  })
  socket.onAny((name: string, payload: unknown) => faults.push(...undocumentedEvent('/sync', name, payload)))
  socket.on('playback_state', (payload: unknown) => {
    received.push(payload as PlaybackState)
    for (const listener of listeners) listener(payload as PlaybackState)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve())
    socket.once('connect_error', (error: Error & { data?: { code?: string } }) => {
      socket.close()
      reject(new HandshakeRefused(error.data?.code ?? '', error.message))
    })
  })

  const sound = (): PlaybackState[] => {
    if (faults.length > 0)
      throw new Error(`the server sent something outside the contract: ${faults.join('; ')}`)
    return received
  }

  return {
    /** Every playback state received, oldest first. */
    states: sound,
    isConnected: (): boolean => socket.connected,
    onState: (listener: (state: PlaybackState) => void): void => void listeners.add(listener),
    /** The newest state, once it fits. */
    async state(fits: (state: PlaybackState) => boolean): Promise<PlaybackState> {
      const newest = () => sound().at(-1)
      const isThere = (state: PlaybackState | undefined): state is PlaybackState =>
        state !== undefined && fits(state)
      await waitUntil(() => isThere(newest()) || `the newest state is ${JSON.stringify(newest())}`)
      return newest() as PlaybackState
    },
    async act(name: SyncActionName, payload: Record<string, unknown> = {}): Promise<RoomAck> {
      const ack: unknown = await socket.timeout(60_000).emitWithAck(name, payload)
      if (!acks.Check(ack)) throw new Error(`not an acknowledgement: ${JSON.stringify(ack)}`)
      return ack as RoomAck
    },
    /** R27: the server's answer, and when it arrived here. */
    async ping(): Promise<ClockPong & { t3: number }> {
      const pong: unknown = await socket.timeout(60_000).emitWithAck('clock_ping', { t0: performance.now() })
      const t3 = performance.now()
      if (!pongs.Check(pong)) throw new Error(`not an answer to a ping: ${JSON.stringify(pong)}`)
      return { ...(pong as ClockPong), t3 }
    },
    close: (): void => void socket.close(),
  }
}
