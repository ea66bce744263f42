import { type PlaybackState, playingInStepOf, type RoomSnapshot } from '@atrium/contract'
import { openSyncSocket, type SocketSession, type SyncSocket } from '@atrium/testkit'

export interface PlayerOptions {
  baseUrl: string
  userAgent: string
  /** The bot's session; undefined while it has none. */
  session(): Omit<SocketSession, 'roomId'> | undefined
}

export type Player = ReturnType<typeof createPlayer>

/**
 * Plays nothing, but says at once that it could, as a page does when it has buffered, so that media in step start for
 * bots as they do for people. A bot without it would still finish: it reports the end of a film by its own clock.
 */
export function createPlayer({ baseUrl, userAgent, session }: PlayerOptions) {
  let opening: Promise<SyncSocket> | undefined
  let isClosed = false

  async function open(roomId: string): Promise<SyncSocket> {
    const known = session()
    if (!known) throw new Error('the bot has no session')
    const socket = await openSyncSocket(baseUrl, { ...known, roomId }, userAgent)
    const sayReady = ({ componentId }: PlaybackState): void =>
      // Refused when the room has moved on, and lost with the connection; neither matters to a bot.
      void socket.act('playback_buffer', { componentId, status: 'ready' }).catch(() => undefined)
    socket.onState((state) => {
      if (state.status === 'preparing') sayReady(state)
    })
    for (const state of socket.states()) sayReady(state)
    if (isClosed) socket.close()
    return socket
  }

  return {
    /** Called when the bot enters a state: connects if something there may play in step. */
    async watch({ roomId, others, state, globalComponents }: RoomSnapshot): Promise<void> {
      const mayPlay = [...(state?.components ?? []), ...globalComponents].some((component) => {
        const playing = playingInStepOf(component)
        return playing !== undefined && (others.length > 0 || playing.controlledBy !== null)
      })
      if (!mayPlay || isClosed) return
      const socket = await opening?.catch(() => undefined)
      if (socket?.isConnected()) return
      opening = open(roomId)
      await opening.catch(() => undefined)
    },
    close(): void {
      isClosed = true
      opening?.then(
        (socket) => socket.close(),
        () => undefined,
      )
    },
  }
}
