import { Type } from 'typebox'
import { presences, seatStatuses } from '../room/view.ts'
import { ParticipantId, SeatedId } from '../session.ts'
import { Count, EpochMs, FreeObject, Name, Prose } from '../text.ts'
import { WholeNumber } from './query.ts'
import { defineRoute } from './route.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const RoomParams = Type.Object({ roomId: Type.String() })
const SeatParams = Type.Object({ roomId: Type.String(), participantId: SeatedId })

const whereabouts = {
  stateId: Nullable(Type.String()),
  enteredAt: Nullable(EpochMs('When the state was entered')),
  deadlineAt: Nullable(EpochMs('Deadline of the state')),
}

/** R68 */
const stage = Nullable(
  Type.String({ description: 'The stage that is played here; null in a study without stages' }),
)

/** Something that agents alone take part in, for the researcher to see how a study goes. */
const synthetic = Type.Boolean({ description: 'A pilot: agents in every seat, in no export of people' })

const AgentReport = Type.Object({
  agentId: Type.String({ description: 'As in the definition, or in the pilot' }),
  name: Type.String(),
  pending: Nullable(
    Type.Object(
      {
        turnId: Type.String(),
        cause: Type.String({ description: '`state`, `message`, `continue`, `lull` or `demand`' }),
        dueAt: EpochMs('The model is asked from this time on'),
      },
      { description: 'The turn that it takes next; null when it has nothing to do' },
    ),
  ),
  used: Type.Object(
    {
      calls: Count('Calls of the model'),
      tokens: Count('Tokens, prompts and replies together'),
      money: Type.Number({ minimum: 0, description: 'By the agent’s `price`' }),
    },
    { description: 'What it has used of its budget in this room' },
  ),
})
export type AgentReport = Type.Static<typeof AgentReport>

const roomStatuses = ['running', 'paused', 'ended'] as const

const holding = {
  resting: Type.Boolean({
    description:
      'Open, but held by no instance because nobody is connected. It uses no capacity, its deadlines still apply, and it wakes when someone connects',
  }),
  podId: Nullable(
    Type.String({
      description: 'The instance that holds the room; null while it rests or after it has ended',
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
  stage,
  condition: Nullable(
    Type.String({ description: 'Null without conditions, and where each participant has one of their own' }),
  ),
  seed: Type.String({ description: 'Seed of all random draws in the room' }),
  ordinal: Count('Position of this room in the experiment, counted from 0'),
  seq: Count('Number of the latest event'),
  pacing: Type.Enum(['room', 'participant']),
  ...whereabouts,
  variables: FreeObject('Room variables, including secret ones'),
  synthetic,
  mediators: Type.Array(
    Type.Object({ participantId: Type.String(), alias: Type.String(), agent: AgentReport }),
    { description: 'Agents without a seat, which read and speak in chats' },
  ),
  skippedActions: Type.Optional(
    Count(
      'Logged actions that no longer applied when the room was restored and were skipped; absent if there were none',
    ),
  ),
})
export type RoomReport = Type.Static<typeof RoomReport>

export const roomsPerPage = { min: 1, max: 200, usual: 50 } as const

/** What is known about a room without opening it. */
export const RoomSummary = Type.Object({
  roomId: Type.String(),
  status: Type.Enum(roomStatuses),
  ...holding,
  endReason: Nullable(
    Type.String({
      description: 'Null while the room is open, or if everyone completed before it ended',
    }),
  ),
  condition: Nullable(
    Type.String({
      description:
        'Null if the experiment has no conditions or each participant has one of their own, and until the room starts',
    }),
  ),
  stage,
  participants: Count('Participants with a seat, also those who have gone on to another stage'),
  active: Count('Participants still taking part: no outcome, an active session; none while the room rests'),
  agents: Count('Seats of agents'),
  synthetic,
  createdAt: EpochMs('When the room was created'),
  endedAt: Nullable(EpochMs('When it ended')),
})
export type RoomSummary = Type.Static<typeof RoomSummary>

const RoomPage = Type.Object({
  rooms: Type.Array(RoomSummary),
  next: Nullable(Type.String({ description: 'Value of `before` for the next page; null on the last page' })),
})
export type RoomPage = Type.Static<typeof RoomPage>

export const SeatReport = Type.Object({
  participantId: Type.String(),
  alias: Type.String(),
  role: Type.String(),
  condition: Nullable(
    Type.String({ description: 'That of the room, or their own; null if the experiment has no conditions' }),
  ),
  status: Type.Enum(seatStatuses),
  presence: Type.Enum(presences),
  awaySince: Nullable(EpochMs('When the connection was lost')),
  outcome: Nullable(Type.String()),
  ready: Type.Boolean(),
  neighbours: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Aliases of their neighbours in the network; absent where there is none, and where somebody has taken over the seat',
    }),
  ),
  answered: Type.Array(Type.String(), { description: 'Components answered in the current state' }),
  ...whereabouts,
  agent: Nullable(AgentReport),
  timeInStateMs: Nullable(Count('How long the participant has been in the state')),
  variables: FreeObject('Participant variables, including secret ones'),
})
export type SeatReport = Type.Static<typeof SeatReport>

const room = { tag: 'Rooms', envelope: 'plain', auth: 'researcher', access: 'view' } as const
const Done = Type.Object({ ok: Type.Literal(true), seq: Count('Number of the room’s latest event') })
const change = { ...room, access: 'edit', method: 'POST', params: RoomParams } as const
const success = { status: 200, schema: Done, description: 'Done and recorded in the room’s log' } as const
const errors = ['ROOM_ENDED', 'ROOM_ELSEWHERE', 'ACTION_REFUSED', 'NOT_FOUND'] as const

export const roomRoutes = {
  create: defineRoute({
    ...room,
    access: 'edit',
    method: 'POST',
    path: '/api/experiments/:experimentId/rooms',
    summary: 'Create a room for waiting participants',
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
      'Returns rooms as they are stored, without waking or moving any. For details of one room, use `GET /api/room/:roomId/state`.',
    params: Type.Object({ experimentId: Type.String() }),
    query: Type.Object({
      status: Type.Optional(
        Type.Enum(['open', 'all'], { description: '`open`: rooms that have not ended; `all` when absent' }),
      ),
      limit: Type.Optional(WholeNumber(roomsPerPage, 'Maximum number of results')),
      before: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}\\.room_[A-Za-z0-9_-]{1,64}$',
          description: 'The `next` value of the previous page',
        }),
      ),
    }),
    success: { status: 200, schema: RoomPage, description: 'Newest first' },
  }),
  state: defineRoute({
    ...room,
    method: 'GET',
    path: '/api/room/:roomId/state',
    summary: 'Get the state of a room',
    params: RoomParams,
    success: { status: 200, schema: RoomReport, description: 'The current room' },
    errors: ['ROOM_ELSEWHERE'],
  }),
  participants: defineRoute({
    ...room,
    method: 'GET',
    path: '/api/room/:roomId/participants',
    summary: 'List the participants in a room, with presence and time in state',
    params: RoomParams,
    success: {
      status: 200,
      schema: Type.Object({ participants: Type.Array(SeatReport) }),
      description: 'The current seats',
    },
    errors: ['ROOM_ELSEWHERE'],
  }),
  advance: defineRoute({
    ...change,
    path: '/api/room/:roomId/advance',
    summary: 'End the current state now',
    success,
    errors,
  }),
  pause: defineRoute({
    ...change,
    path: '/api/room/:roomId/pause',
    summary: 'Pause a room',
    body: Type.Object({ reason: Type.Optional(Name(500, 'Shown to participants')) }),
    success,
    errors,
  }),
  resume: defineRoute({
    ...change,
    path: '/api/room/:roomId/resume',
    summary: 'Resume a room; deadlines move by the length of the pause',
    success,
    errors,
  }),
  end: defineRoute({
    ...change,
    path: '/api/room/:roomId/end',
    summary: 'End a room for everyone',
    description: 'Participants who are still in the room are told to complete with TECHNICAL.',
    body: Type.Object({ reason: Type.Optional(Name(500, 'For the record')) }),
    success,
    errors,
  }),
  message: defineRoute({
    ...change,
    path: '/api/room/:roomId/message',
    summary: 'Send a message to a room or to one participant',
    body: Type.Object({
      text: Prose(4_000, 'Text of the message'),
      participantId: Type.Optional(ParticipantId),
    }),
    success,
    errors,
  }),
  prompt: defineRoute({
    ...change,
    path: '/api/room/:roomId/agents/:participantId/prompt',
    summary: 'Ask an agent to act now',
    description: 'Also for mediators that otherwise speak only by their own rule.',
    params: SeatParams,
    success,
    errors,
  }),
  remove: defineRoute({
    ...change,
    path: '/api/room/:roomId/participants/:participantId/remove',
    summary: 'Remove a participant from a room',
    params: SeatParams,
    body: Type.Object({
      outcome: Type.Optional(Name(200, 'Outcome to complete with; TECHNICAL when absent')),
    }),
    success,
    errors,
  }),
} as const
