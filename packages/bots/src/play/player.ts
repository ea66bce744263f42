import { otherCountIn, type PlaybackState, type RoomSnapshot } from '@atrium/contract'
import { type PlayingInStep, playingInStepOf } from '@atrium/contract/components'
import { openSyncSocket, type SocketSession, type SyncSocket } from '@atrium/testkit/without-vitest'
import type { Bell } from './bell.ts'

export interface PlayerOptions {
  baseUrl: string
  userAgent: string
  bell: Bell
  /** The bot's session; undefined while it has none. */
  session(): Omit<SocketSession, 'roomId'> | undefined
}

export type Player = ReturnType<typeof createPlayer>

/** What plays in step for this participant. */
interface Shown {
  id: string
  playing: PlayingInStep
}

const shownIn = (view: RoomSnapshot): Shown[] =>
  [...(view.state?.components ?? []), ...view.globalComponents].flatMap((component) => {
    const playing = playingInStepOf(component)
    const isInStep = playing && (otherCountIn(view) > 0 || playing.controlledBy !== null)
    return isInStep ? [{ id: component.id, playing }] : []
  })

/** Beyond the room's own limit, for connections on a busy machine. */
const connectingMs = 30_000

/**
 * Plays nothing, but says at once that it could, as a page does when it has buffered, so that media in step start for
 * bots as they do for people. What a role commands, a bot with that role plays.
 */
export function createPlayer({ baseUrl, userAgent, bell, session }: PlayerOptions) {
  let opening: Promise<SyncSocket> | undefined
  let isClosed = false
  let role = ''
  let shown: readonly Shown[] = []
  const newest = new Map<string, PlaybackState>()

  async function open(roomId: string): Promise<SyncSocket> {
    const known = session()
    if (!known) throw new Error('the bot has no session')
    const socket = await openSyncSocket(baseUrl, { ...known, roomId }, userAgent)
    // Refused when the room has moved on, and lost with the connection; neither matters to a bot.
    const act: SyncSocket['act'] = (...args) => socket.act(...args).catch(() => ({ ok: true, seq: 0 }))
    const follow = (state: PlaybackState): void => {
      const { componentId, status } = state
      const isNew = !newest.has(componentId)
      newest.set(componentId, state)
      bell.ring()
      if (isNew || status === 'preparing') void act('playback_buffer', { componentId, status: 'ready' })
      const isOurs = shown.some(({ id, playing }) => id === componentId && playing.controlledBy === role)
      if (isOurs && status === 'paused') void act('playback_command', { componentId, command: 'play' })
    }
    for (const state of socket.states()) follow(state)
    socket.onState(follow)
    if (isClosed) socket.close()
    return socket
  }

  async function connect(roomId: string): Promise<void> {
    const socket = await opening?.catch(() => undefined)
    if (socket?.isConnected() || isClosed) return
    opening = open(roomId)
    await opening.catch(() => undefined)
  }

  return {
    /** Waits until everything that the state shows has started, or the bot has waited long enough, or `isOver`. */
    async begin(view: RoomSnapshot, isOver: () => boolean): Promise<void> {
      role = view.self.role
      shown = shownIn(view)
      if (shown.length === 0) return
      void connect(view.roomId)
      const hasStarted = ({ id }: Shown): boolean => (newest.get(id)?.status ?? 'preparing') !== 'preparing'
      const longestMs = Math.max(...shown.map(({ playing }) => playing.waitForAllMs))
      await bell.until(() => isOver() || shown.every(hasStarted), longestMs + connectingMs)
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
