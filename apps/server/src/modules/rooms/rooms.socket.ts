import { parserFor, type RoomActionName, roomActions, type SocketEventName } from '@atrium/contract'
import type { Namespace } from 'socket.io'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Space } from '../../kernel/space.ts'
import { createTurnShare } from '../../kernel/turn-share.ts'
import { type AroundAction, createAcknowledger, type OnDefect } from '../../realtime/acknowledge.ts'
import { createFanOut } from '../../realtime/fan-out.ts'
import { type Handshakes, namedInQuery, type SessionSocket } from '../../realtime/handshake.ts'
import { createSeats } from '../../realtime/seats.ts'
import { languageOf, type SessionRecord, type Sessions } from '../sessions/index.ts'
import { withCodesOfRemoved } from './live/codes-of-removed.ts'
import { createCrowdFigures } from './live/crowd-figures.ts'
import { createOutbox, type Outbox } from './live/outbox.ts'
import { isCrowd, toldInCrowd } from './model/crowd.ts'
import type { RoomAction } from './model/room-action.ts'
import { deliveriesOf, type Emitted, isListening } from './model/room-audience.ts'
import type { Rooms } from './rooms.ts'
import { dispatchHere, requireSpaceFor, roomOfSession } from './session-room.ts'

/** Compiled once, not per socket: they take more memory than the rest of a connection. */
const actionParsers = (Object.keys(roomActions) as RoomActionName[]).map((name) => ({
  name,
  parser: parserFor(roomActions[name]),
}))

/** Of the event loop, for sending texts. One action may take longer, but not the next one on top of it. */
const longestTurnMs = 20

export interface RoomSocketDeps {
  handshakes: Handshakes<SessionRecord>
  rooms: Rooms
  sessions: Sessions
  space: Pick<Space, 'require'>
  clock: Clock
  around: AroundAction | undefined
  /** Looks for what an answer names outside the room; undefined if it names nothing. */
  checkAnswer(session: SessionRecord, componentId: string, value: unknown): Promise<void> | undefined
  onDefect: OnDefect
}

/** The namespace `/experiment`: a snapshot on connect, then events; actions are acknowledged once they are durable. */
export function serveExperimentSockets(deps: RoomSocketDeps): void {
  const { handshakes, rooms, sessions, space, clock, around, checkAnswer, onDefect } = deps
  const seats = createSeats<SessionRecord>()
  const namespace = handshakes.open('/experiment', {
    mayBeCompleted: false,
    isSeated: ({ participantId }) => seats.has(participantId),
    admit: async (session, socket) => {
      await rooms.knock(await roomOfSession(sessions, session, namedInQuery(socket, 'roomId')))
    },
  })
  const fanOut = createFanOut(namespace)
  const outbox = createOutbox(
    (roomId, emitted) => broadcast(namespace, fanOut, roomId, emitted),
    createTurnShare(longestTurnMs),
  )
  const figures = createCrowdFigures(clock, outbox.add)
  rooms.listen({
    emitted(room, emitted, _played, definition) {
      const told = isCrowd(room) ? toldInCrowd(room, emitted) : emitted
      outbox.add(
        room.roomId,
        withCodesOfRemoved(told, room, definition, (id) => seats.socketOf(id)?.data.session.metadata),
      )
      figures.follow(room, definition)
    },
    lost(roomId) {
      outbox.discard(roomId)
      figures.forget(roomId)
      namespace.in(roomId).disconnectSockets(true)
    },
  })

  namespace.on('connection', (connected) => {
    const socket = connected as unknown as SessionSocket<SessionRecord>
    const { participantId } = socket.data.session
    const roomId = String(socket.handshake.query.roomId)
    seats.take(participantId, socket)
    const dispatch = (action: RoomAction): Promise<number> => dispatchHere(rooms, roomId, action)

    enterRoom(rooms, socket, roomId, outbox).catch((error: unknown) => {
      if (!(error instanceof AppError)) onDefect(error)
      socket.disconnect(true)
    })
    const answer = createAcknowledger(socket, onDefect, around)
    for (const { name, parser } of actionParsers)
      answer(name, parser, (payload) => {
        const action = { ...payload, type: name, participantId } as RoomAction
        requireSpaceFor(action, space)
        const checking =
          action.type === 'submit_response'
            ? checkAnswer(socket.data.session, action.componentId, action.value)
            : undefined
        // Everything else is dispatched at once: actions keep their order.
        return checking ? checking.then(() => dispatch(action)) : dispatch(action)
      })

    socket.on('disconnect' as never, () => {
      if (!seats.leave(participantId, socket)) return
      // Nobody is left to receive an error, and the room's own clock notices if this is lost.
      dispatch({ type: 'disconnected', participantId }).catch(() => undefined)
    })
  })
}

/** Joins the room's audience and sends the snapshot in one step, so that no event is lost between the two. */
async function enterRoom(
  rooms: Rooms,
  socket: SessionSocket<SessionRecord>,
  roomId: string,
  outbox: Pick<Outbox, 'whenEmpty'>,
): Promise<void> {
  const { participantId } = socket.data.session
  const room = await rooms.enter(roomId, participantId, languageOf(socket.data.session))
  await outbox.whenEmpty(roomId)
  const isIn = isListening(room.state(), participantId)
  // Not awaited, because an event of the room could be sent in between. The in-memory adapter joins at once.
  void socket.join([roomId, personalRoom(roomId, participantId), ...(isIn ? [audienceRoom(roomId)] : [])])
  socket.emit('room_snapshot', room.snapshotFor(participantId))
}

/** Participants still in are in both; those who have left or finished only in their personal one. */
const audienceRoom = (roomId: string): string => `${roomId}:all`
const personalRoom = (roomId: string, participantId: string): string => `${roomId}:${participantId}`

function broadcast(
  namespace: Namespace,
  fanOut: ReturnType<typeof createFanOut<SocketEventName>>,
  roomId: string,
  emitted: readonly Emitted[],
): void {
  for (const { event, isForRoom, participantIds, leaving } of deliveriesOf(emitted)) {
    const personal = participantIds.map((id) => personalRoom(roomId, id))
    const to = isForRoom ? [audienceRoom(roomId), ...personal] : personal
    fanOut(to, 'room_event', event)
    for (const id of leaving) namespace.in(personalRoom(roomId, id)).socketsLeave(audienceRoom(roomId))
  }
}
