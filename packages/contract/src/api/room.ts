import { Type } from 'typebox'
import { presences, seatStatuses } from '../room/view.ts'
import { ParticipantId } from '../session.ts'
import { Count, EpochMs, FreeObject, Name, Prose } from '../text.ts'
import { WholeNumber } from './query.ts'
import { defineRoute } from './route.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const RoomParams = Type.Object({ roomId: Type.String() })
const SeatParams = Type.Object({ roomId: Type.String(), participantId: ParticipantId })

const whereabouts = {
  stateId: Nullable(Type.String()),
  enteredAt: Nullable(EpochMs('When the state was entered')),
  deadlineAt: Nullable(EpochMs('When it ends at the latest')),
}

const roomStatuses = ['running', 'paused', 'ended'] as const

const holding = {
  resting: Type.Boolean({
    description:
      'Open, but on no instance: nobody is connected to it, or nobody has entered it yet. It holds no place, its deadlines are kept, and whoever connects wakes it',
  }),
  podId: Nullable(
    Type.String({
      description: 'The instance that holds the room; null while it rests and when it has ended',
    }),
  ),
}

export const RoomReport = Type.Object({
  roomId: Type.String(),
  experimentId: Type.String(),
  revision: Type.Integer({ minimum: 1 }),
  status: Type.Enum(roomStatuses),
  ...holding,
  endReason: Nullable(Type.String()),
  condition: Nullable(Type.String()),
  seed: Type.String({ description: 'Everything drawn in the room is drawn from it' }),
  ordinal: Count('Rooms of the experiment that began before'),
  seq: Count('The newest event'),
  pacing: Type.Enum(['room', 'participant']),
  ...whereabouts,
  variables: FreeObject('Variables of the room, secret ones included'),
  skippedActions: Type.Optional(
    Count(
      'Actions in the log that no longer applied when the room was read again, and were left out; absent when there are none',
    ),
  ),
})
export type RoomReport = Type.Static<typeof RoomReport>

export const roomsPerPage = { least: 1, most: 200, usual: 50 } as const

/** What is known of a room without asking it. */
export const RoomSummary = Type.Object({
  roomId: Type.String(),
  status: Type.Enum(roomStatuses),
  ...holding,
  endReason: Nullable(
    Type.String({
      description: 'Null while it goes on, and when everyone completed before it came to its end',
    }),
  ),
  condition: Nullable(Type.String({ description: 'Null without conditions, and until the room begins' })),
  participants: Count('People who have a seat'),
  active: Count(
    'Those who still take part: without an outcome, with a session that is active; nobody while the room rests',
  ),
  agents: Count('Seats that agents got when the group was matched'),
  createdAt: EpochMs('When the room was made'),
  endedAt: Nullable(EpochMs('When it ended')),
})
export type RoomSummary = Type.Static<typeof RoomSummary>

const RoomPage = Type.Object({
  rooms: Type.Array(RoomSummary),
  next: Nullable(
    Type.String({ description: 'What to send as `before` for the next page; null on the last' }),
  ),
})
export type RoomPage = Type.Static<typeof RoomPage>

export const SeatReport = Type.Object({
  participantId: Type.String(),
  alias: Type.String(),
  role: Type.String(),
  status: Type.Enum(seatStatuses),
  presence: Type.Enum(presences),
  awaySince: Nullable(EpochMs('When the connection was lost')),
  outcome: Nullable(Type.String()),
  ready: Type.Boolean(),
  answered: Type.Array(Type.String(), { description: 'Components answered in the present state' }),
  ...whereabouts,
  timeInStateMs: Nullable(Count('How long the participant has been in the state')),
  variables: FreeObject('Own variables, secret ones included'),
})
export type SeatReport = Type.Static<typeof SeatReport>

const room = { tag: 'Rooms', envelope: 'plain', auth: 'researcher', access: 'view' } as const
const Done = Type.Object({ ok: Type.Literal(true), seq: Count('The newest event of the room') })
const change = { ...room, access: 'edit', method: 'POST', params: RoomParams } as const
const success = { status: 200, schema: Done, description: 'Done, and in the log of the room' } as const
const errors = ['ROOM_ENDED', 'ROOM_ELSEWHERE', 'ACTION_REFUSED', 'NOT_FOUND'] as const

export const roomRoutes = {
  create: defineRoute({
    ...room,
    access: 'edit',
    method: 'POST',
    path: '/api/experiments/:experimentId/rooms',
    summary: 'Make a room for participants who wait',
    params: Type.Object({ experimentId: Type.String() }),
    body: Type.Object({
      participantIds: Type.Array(ParticipantId, { minItems: 1, maxItems: 1_000, uniqueItems: true }),
    }),
    success: { status: 201, schema: Type.Object({ roomId: Type.String() }), description: 'The room is open' },
    errors: ['ACTION_REFUSED'],
  }),
  list: defineRoute({
    ...room,
    method: 'GET',
    path: '/api/experiments/:experimentId/rooms',
    summary: 'List the rooms of an experiment',
    description:
      'As they are stored: no room is woken or moved by it. `GET /api/room/:roomId/state` knows more of one.',
    params: Type.Object({ experimentId: Type.String() }),
    query: Type.Object({
      status: Type.Optional(
        Type.Enum(['open', 'all'], { description: '`open`: those that have not ended; `all` when absent' }),
      ),
      limit: Type.Optional(WholeNumber(roomsPerPage, 'How many at most')),
      before: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}\\.room_[A-Za-z0-9_-]{1,64}$',
          description: 'Go on after a page: the `next` of that page',
        }),
      ),
    }),
    success: { status: 200, schema: RoomPage, description: 'Newest first' },
  }),
  state: defineRoute({
    ...room,
    method: 'GET',
    path: '/api/room/:roomId/state',
    summary: 'Where a room is',
    params: RoomParams,
    success: { status: 200, schema: RoomReport, description: 'The room as of now' },
    errors: ['ROOM_ELSEWHERE'],
  }),
  participants: defineRoute({
    ...room,
    method: 'GET',
    path: '/api/room/:roomId/participants',
    summary: 'Who is in a room, with presence and time in state',
    params: RoomParams,
    success: {
      status: 200,
      schema: Type.Object({ participants: Type.Array(SeatReport) }),
      description: 'The seats as of now',
    },
    errors: ['ROOM_ELSEWHERE'],
  }),
  advance: defineRoute({
    ...change,
    path: '/api/room/:roomId/advance',
    summary: 'End the present state now',
    success,
    errors,
  }),
  pause: defineRoute({
    ...change,
    path: '/api/room/:roomId/pause',
    summary: 'Stop the clock of a room',
    body: Type.Object({ reason: Type.Optional(Name(500, 'What participants are told')) }),
    success,
    errors,
  }),
  resume: defineRoute({
    ...change,
    path: '/api/room/:roomId/resume',
    summary: 'Let the clock go on; deadlines move by the length of the pause',
    success,
    errors,
  }),
  end: defineRoute({
    ...change,
    path: '/api/room/:roomId/end',
    summary: 'End a room for everyone',
    description: 'Whoever is still in is told to complete with TECHNICAL.',
    body: Type.Object({ reason: Type.Optional(Name(500, 'For the record')) }),
    success,
    errors,
  }),
  message: defineRoute({
    ...change,
    path: '/api/room/:roomId/message',
    summary: 'Say something to a room, or to one participant',
    body: Type.Object({
      text: Prose(4_000, 'What is said'),
      participantId: Type.Optional(ParticipantId),
    }),
    success,
    errors,
  }),
  remove: defineRoute({
    ...change,
    path: '/api/room/:roomId/participants/:participantId/remove',
    summary: 'Remove a participant from a room, with a code',
    params: SeatParams,
    body: Type.Object({
      outcome: Type.Optional(Name(200, 'What they complete with; TECHNICAL when absent')),
    }),
    success,
    errors,
  }),
} as const
