import { parserFor, type SyncActionName, syncActions } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { ExactClock } from '../../kernel/clock.ts'
import type { Space } from '../../kernel/space.ts'
import { type AroundAction, createAcknowledger, type OnDefect } from '../../realtime/acknowledge.ts'
import { answerClockPings } from '../../realtime/clock-pings.ts'
import { createFanOut } from '../../realtime/fan-out.ts'
import { type Handshakes, namedInQuery, type SessionSocket } from '../../realtime/handshake.ts'
import { createSeats } from '../../realtime/seats.ts'
import type { SessionRecord, Sessions } from '../sessions/index.ts'
import type { RoomAction } from './model/room-action.ts'
import type { Rooms } from './rooms.ts'
import { dispatchHere, requireSpaceFor, roomOfSession } from './session-room.ts'

const actionParsers = (Object.keys(syncActions) as SyncActionName[]).map((name) => ({
  name,
  parser: parserFor(syncActions[name]),
}))

export interface SyncSocketDeps {
  handshakes: Handshakes<SessionRecord>
  rooms: Rooms
  sessions: Sessions
  space: Pick<Space, 'require'>
  clock: ExactClock
  /** Called with each report that has been stored. */
  onDrift(driftMs: number): void
  around: AroundAction | undefined
  onDefect: OnDefect
}

/**
 * R27: the namespace `/sync`, on the instance of the room. The clock is read at once and never waits for the room. What
 * plays in step is sent on connecting and whenever it changes, to those who see it. Being here is not being present:
 * that is what `/experiment` says.
 */
export function serveSyncSockets(deps: SyncSocketDeps): void {
  const { handshakes, rooms, sessions, space, clock, onDrift, around, onDefect } = deps
  const seats = createSeats()
  const namespace = handshakes.open('/sync', {
    mayBeCompleted: false,
    isSeated: ({ participantId }) => seats.has(participantId),
    admit: async (session, socket) => {
      await rooms.knock(await roomOfSession(sessions, session, namedInQuery(socket, 'roomId')))
    },
  })
  const fanOut = createFanOut(namespace)
  const closeAll = (roomId: string): void => namespace.in(roomId).disconnectSockets(true)
  rooms.listen({
    emitted({ roomId }, _emitted, played) {
      for (const { participantIds, state } of played)
        fanOut(
          participantIds.map((id) => personalRoom(roomId, id)),
          'playback_state',
          state,
        )
    },
    lost: closeAll,
    // Nobody is connected to `/experiment`, and whoever comes back may find the room on another instance.
    rested: closeAll,
  })

  namespace.on('connection', (connected) => {
    const socket = connected as unknown as SessionSocket
    const { participantId } = socket.data.session
    const roomId = String(socket.handshake.query.roomId)
    seats.take(participantId, socket)
    socket.on('disconnect' as never, () => void seats.leave(participantId, socket))
    answerClockPings(socket, clock.exact)
    const answer = createAcknowledger(socket, onDefect, around)
    for (const { name, parser } of actionParsers)
      answer(name, parser, async (payload) => {
        const action = { ...payload, type: name, participantId } as RoomAction
        requireSpaceFor(action, space)
        const seq = await dispatchHere(rooms, roomId, action)
        if (action.type === 'sync_report') onDrift(action.driftMs)
        return seq
      })
    listenTo(rooms, socket, roomId).catch((error: unknown) => {
      if (!(error instanceof AppError)) onDefect(error)
      socket.disconnect(true)
    })
  })
}

/** Joins the audience and sends what plays now in one step, so that no change is lost between the two. */
async function listenTo(rooms: Rooms, socket: SessionSocket, roomId: string): Promise<void> {
  const { participantId } = socket.data.session
  const room = await rooms.live(roomId)
  // Not awaited, as in `/experiment`.
  void socket.join([roomId, personalRoom(roomId, participantId)])
  for (const state of room.playbackFor(participantId)) socket.emit('playback_state', state)
}

const personalRoom = (roomId: string, participantId: string): string => `${roomId}:${participantId}`
