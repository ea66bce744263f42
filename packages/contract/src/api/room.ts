import { Type } from 'typebox'
import { presences, seatStatuses } from '../room/view.ts'
import { ParticipantId } from '../session.ts'
import { Count, EpochMs, FreeObject, Name, Prose } from '../text.ts'
import { defineRoute } from './route.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const RoomParams = Type.Object({ roomId: Type.String() })
const SeatParams = Type.Object({ roomId: Type.String(), participantId: ParticipantId })

const whereabouts = {
  stateId: Nullable(Type.String()),
  enteredAt: Nullable(EpochMs('When the state was entered')),
  deadlineAt: Nullable(EpochMs('When it ends at the latest')),
}

export const RoomReport = Type.Object({
  roomId: Type.String(),
  experimentId: Type.String(),
  revision: Type.Integer({ minimum: 1 }),
  status: Type.Enum(['running', 'paused', 'ended']),
  endReason: Nullable(Type.String()),
  condition: Nullable(Type.String()),
  seed: Type.String({ description: 'Everything drawn in the room is drawn from it' }),
  ordinal: Count('Rooms of the experiment that began before'),
  seq: Count('The newest event'),
  pacing: Type.Enum(['room', 'participant']),
  ...whereabouts,
  variables: FreeObject('Variables of the room, secret ones included'),
})
export type RoomReport = Type.Static<typeof RoomReport>

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

const room = { tag: 'Rooms', envelope: 'plain', auth: 'researcher' } as const
const Done = Type.Object({ ok: Type.Literal(true), seq: Count('The newest event of the room') })
const change = { ...room, method: 'POST', params: RoomParams } as const
const success = { status: 200, schema: Done, description: 'Done, and in the log of the room' } as const
const errors = ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'ROOM_ELSEWHERE', 'ACTION_REFUSED', 'NOT_FOUND'] as const

export const roomRoutes = {
  create: defineRoute({
    ...room,
    method: 'POST',
    path: '/api/experiments/:experimentId/rooms',
    summary: 'Make a room for participants who wait',
    params: Type.Object({ experimentId: Type.String() }),
    body: Type.Object({
      participantIds: Type.Array(ParticipantId, { minItems: 1, maxItems: 1_000, uniqueItems: true }),
    }),
    success: { status: 201, schema: Type.Object({ roomId: Type.String() }), description: 'The room is open' },
    errors: ['EXPERIMENT_NOT_FOUND', 'ACTION_REFUSED'],
  }),
  state: defineRoute({
    ...room,
    method: 'GET',
    path: '/api/room/:roomId/state',
    summary: 'Where a room is',
    params: RoomParams,
    success: { status: 200, schema: RoomReport, description: 'The room as of now' },
    errors: ['ROOM_NOT_FOUND', 'ROOM_ELSEWHERE'],
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
    errors: ['ROOM_NOT_FOUND', 'ROOM_ELSEWHERE'],
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
