import { type TSchema, Type } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import { limits } from '../limits.ts'
import { SessionStatusSchema } from '../session.ts'
import { RoomAck, roomActions } from './actions.ts'
import { RoomEvent } from './events.ts'
import { ClockPing, ClockPong, PlaybackState, syncActions } from './sync.ts'
import { RoomSnapshot } from './view.ts'
import { RoomAssigned, WaitingEnded, WaitingStatus, waitingActions } from './waiting.ts'

/** Everything that the server sends to participants, by the name of the socket event. What is not here does not compile. */
export const socketEvents = {
  waiting_status: WaitingStatus,
  room_assigned: RoomAssigned,
  waiting_ended: WaitingEnded,
  room_snapshot: RoomSnapshot,
  room_event: RoomEvent,
  playback_state: PlaybackState,
  replaced: Type.Object({}, { additionalProperties: false }),
  session_ended: Type.Object({ status: SessionStatusSchema }),
} as const satisfies Record<string, TSchema>

export type SocketEventName = keyof typeof socketEvents

interface DocumentedAction {
  payload: TSchema
  acknowledgement: TSchema
  description: string
  /** Besides those that any action can be refused with. */
  refusals: readonly ErrorCode[]
}

export interface SocketNamespace {
  path: '/waiting' | '/experiment' | '/sync'
  summary: string
  description: string
  query: Readonly<Record<string, string>>
  /** Codes of `connect_error`, besides those of every namespace. */
  refusals: readonly ErrorCode[]
  actions: Readonly<Record<string, DocumentedAction>>
  events: Readonly<Partial<Record<SocketEventName, string>>>
}

const inRoom = {
  roomId: 'The room: `roomId` of `room_assigned`, or of the join where the room exists at once. Required.',
  experimentId: 'May be sent as well; another one than the session’s is refused (`SESSION_MISMATCH`).',
}

const actionOf =
  (payload: TSchema) =>
  (description: string, refusals: readonly ErrorCode[] = []): DocumentedAction => ({
    payload,
    acknowledgement: RoomAck,
    description,
    refusals,
  })

/** Told to any socket of a participant before the server closes it. */
const beforeClosing = {
  replaced:
    'The same participant has connected again, as in a second tab: this socket is closed. Do not reconnect.',
  session_ended:
    'The session has ended (completed, expired or revoked), here or elsewhere: this socket is closed. Do not reconnect.',
} as const

/** Codes with which any handshake can be refused. */
export const handshakeRefusals: readonly ErrorCode[] = [
  'SESSION_INVALID',
  'SESSION_EXPIRED',
  'SESSION_MISMATCH',
  'SESSION_COMPLETED',
  'CONSENT_REQUIRED',
  'FORBIDDEN',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'INTERNAL',
]

/** Codes with which any action can be refused. */
export const actionRefusals: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'NOT_FOUND',
  'RATE_LIMITED',
  'INTERNAL',
]

const roomRefusals: readonly ErrorCode[] = ['ACTION_REFUSED', 'UNAVAILABLE']
const leaveWaiting = actionOf(waitingActions.leave_waiting)
const syncAction = (name: keyof typeof syncActions) => actionOf(syncActions[name])
const roomAction = (name: keyof typeof roomActions) => actionOf(roomActions[name])

/** R24–R27: what participants can connect to, in the order in which they do. */
export const socketNamespaces: readonly SocketNamespace[] = [
  {
    path: '/waiting',
    summary: 'Wait for the other people of a group',
    description:
      'On any instance. For a participant whose `roomId` begins with `waiting_`. Whoever connects after the match gets `room_assigned` at once.',
    query: {
      roomId: 'May be sent; another one than the session’s is refused (`SESSION_MISMATCH`).',
      experimentId: inRoom.experimentId,
    },
    refusals: [],
    actions: {
      leave_waiting: leaveWaiting('Stop waiting. Followed by `waiting_ended` with the reason `left`.', [
        'ACTION_REFUSED',
      ]),
    },
    events: {
      waiting_status: 'How the wait goes: on connecting, and whenever it changes.',
      room_assigned:
        'The group is complete: connect to `/experiment` with this room. Then the server closes the socket.',
      waiting_ended: 'The wait is over without a room. Then the server closes the socket.',
      ...beforeClosing,
    },
  },
  {
    path: '/experiment',
    summary: 'Take part in a room',
    description:
      'Sends the whole visible state on every connect, then what changes. Events of a room have increasing numbers (`seq`): ignore those up to `seq` of the snapshot. After a gap, reconnect; the snapshot has everything. A connection is presence: the room notices when it is lost.',
    query: inRoom,
    refusals: ['NOT_FOUND'],
    actions: {
      submit_response: roomAction('submit_response')(
        'Answer a component. Also how consent components, ratings and pages of the study’s own are answered. Send what the `when` of another component reads before that one.',
        [...roomRefusals, 'NOT_SHOWN'],
      ),
      send_message: roomAction('send_message')('Write into a chat.', roomRefusals),
      ready: roomAction('ready')('Finish a state that ends with a button.', roomRefusals),
      cannot_answer: roomAction('cannot_answer')(
        'Go on without an answer to a component whose picture did not load (`hot_spot`, `reaction_time`).',
        [...roomRefusals, 'NOT_SHOWN'],
      ),
      leave: roomAction('leave')('Leave the room for good.', roomRefusals),
    },
    events: {
      room_snapshot: 'Everything that this participant may see, on every connect.',
      room_event: 'What has happened since. Its `type` says what.',
      ...beforeClosing,
    },
  },
  {
    path: '/sync',
    summary: 'Play media in step',
    description:
      'Beside `/experiment`, on the instance of the room. The server is the clock: measure the offset with `clock_ping`, then show each medium where `playback_state` says that it is.',
    query: inRoom,
    refusals: ['NOT_FOUND'],
    actions: {
      clock_ping: {
        payload: ClockPing,
        acknowledgement: Type.Union([ClockPong, RoomAck]),
        description:
          'Acknowledged at once with `{t0, t1, t2}`: `t0` as sent, and the server time in milliseconds at which it arrived and was answered; or refused as any action.',
        refusals: [],
      },
      playback_command: syncAction('playback_command')(
        'Play, pause or seek, for the role that controls the medium.',
        roomRefusals,
      ),
      playback_buffer: syncAction('playback_buffer')(
        'Whether this participant could play now; the room waits for those who cannot.',
        roomRefusals,
      ),
      sync_report: syncAction('sync_report')(
        'How far this participant is from where the medium should be. Kept as data.',
        roomRefusals,
      ),
    },
    events: {
      playback_state: 'Where a medium is: on connecting, and whenever it changes.',
      ...beforeClosing,
    },
  },
]

/** What the reference says of all namespaces. */
export const socketConventions = `Sockets speak [Socket.IO](https://socket.io) 4, at \`/socket.io\`, with the websocket transport only. A message has a name and one JSON object. Every action is answered through Socket.IO’s acknowledgement: \`{"ok": true, "seq": …}\` once it is stored, or \`{"ok": false, "error": {"code", "message"}}\`. An action in a room carries an \`actionId\` chosen by the client: repeating it under the same id, also after a reconnect, is safe and gives the first answer. The handshake sends \`auth: {sessionId, sessionToken}\` from the join; a refused one is a \`connect_error\` with \`data: {code}\` and, for \`RATE_LIMITED\`, \`retryAfterSeconds\`. A response has at most ${limits.responseBytes} bytes as JSON.`
