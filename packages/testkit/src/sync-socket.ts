import { ClockPong, type PlaybackState, type RoomAck, type SyncActionName } from '@atrium/contract'
import { Compile } from 'typebox/compile'
import { openCheckedSocket, type SocketSession } from './checked-socket.ts'
import { waitUntil } from './wait.ts'

const pongs = Compile(ClockPong)

export type SyncSocket = Awaited<ReturnType<typeof openSyncSocket>>

/** A bare socket on `/sync`. */
export async function openSyncSocket(address: string, session: SocketSession, userAgent = 'atrium-test/1.0') {
  const received: PlaybackState[] = []
  const listeners = new Set<(state: PlaybackState) => void>()
  const { roomId } = session
  const { socket, admitted, refuseFaults, act } = openCheckedSocket(address, {
    path: '/sync',
    session,
    roomId,
    userAgent,
  })
  socket.on('playback_state', (payload: unknown) => {
    received.push(payload as PlaybackState)
    for (const listener of listeners) listener(payload as PlaybackState)
  })
  await admitted('connect')

  const sound = (): PlaybackState[] => {
    refuseFaults()
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
    act: (name: SyncActionName, payload: Record<string, unknown> = {}): Promise<RoomAck> =>
      act(name, payload, 60_000),
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
