import { Type } from 'typebox'
import { MessageView, RoomSnapshot } from '../room/view.ts'
import { SeatedId } from '../session.ts'
import { Count, EpochMs } from '../text.ts'
import { WholeNumber } from './query.ts'
import { RoomReport, SeatReport } from './room.ts'
import { defineRoute } from './route.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const RoomParams = Type.Object({ roomId: Type.String() })

/** What can happen to a room. `erased`: an action of somebody who was deleted; without an alias, what an earlier version left of the room. */
const momentKinds = [
  'opened',
  'connected',
  'disconnected',
  'restored',
  'tick',
  'completed',
  'withdrawn',
  'agent_turn',
  'submit_response',
  'send_message',
  'ready',
  'cannot_answer',
  'leave',
  'playback_command',
  'advance',
  'pause',
  'resume',
  'end',
  'announce',
  'remove',
  'prompt',
  'erased',
] as const
export type MomentKind = (typeof momentKinds)[number]

const momentNumber = Count('Number of the moment in the room’s log, which never changes')

/** A state, and which time it is played. */
export const RoomPlace = Type.Object(
  {
    id: Type.String(),
    name: Nullable(Type.String({ description: 'Null if it has none, or if it shows values' })),
    round: Nullable(Type.Integer({ minimum: 1 })),
    rounds: Nullable(Type.Integer({ minimum: 1 })),
  },
  {
    description:
      'Where the room, or whoever acted, is; null before the first state and after the last, and for a room whose participants move at their own pace',
  },
)

export const RoomMoment = Type.Object({
  number: momentNumber,
  at: EpochMs('When it happened'),
  kind: Type.Enum(momentKinds),
  alias: Nullable(
    Type.String({ description: 'Who did it, or whom it concerns; null for the clock and for researchers' }),
  ),
  componentId: Nullable(Type.String()),
  detail: Nullable(
    Type.String({ description: 'The answer as JSON, the message or the reason; at most 160 characters' }),
  ),
  state: Nullable(RoomPlace),
  entered: Type.Boolean({ description: 'Whether a state began with it' }),
  ended: Type.Boolean({ description: 'Whether the room ended with it' }),
})
export type RoomMoment = Type.Static<typeof RoomMoment>

export const momentsPerPage = { min: 1, max: 1_000, usual: 200 } as const
const anyMoment = { min: 0, max: 999_999_999, usual: 0 }

const RoomMoments = Type.Object({
  roomId: Type.String(),
  experimentId: Type.String(),
  seats: Type.Array(
    Type.Object({
      participantId: Type.String(),
      alias: Type.String(),
      role: Type.String(),
      isAgent: Type.Boolean(),
    }),
  ),
  moments: Type.Array(RoomMoment),
  next: Nullable(Count('Value of `after` for the next page; null on the last page')),
  total: Count('Number of moments so far'),
  isWhole: Type.Boolean({
    description:
      'False if the end cannot be replayed, because the room is too long, or the beginning, because an earlier version deleted somebody',
  }),
})
export type RoomMoments = Type.Static<typeof RoomMoments>

const ReplayedSeat = Type.Object({
  ...SeatReport.properties,
  answers: Type.Array(
    Type.Object({
      componentId: Type.String(),
      value: Type.Unknown({ description: 'Null if it is longer than 8,192 characters of JSON' }),
      length: Type.Optional(Count('Characters of JSON, if the value was left out')),
    }),
    { description: 'Answers of this visit to the state' },
  ),
})

const RoomAtMoment = Type.Object({
  number: momentNumber,
  at: EpochMs('When it happened'),
  room: RoomReport,
  round: Nullable(Type.Integer({ minimum: 1 })),
  rounds: Nullable(Type.Integer({ minimum: 1 })),
  seats: Type.Array(ReplayedSeat),
  messages: Type.Array(
    Type.Object({
      ...MessageView.properties,
      to: Nullable(
        Type.Array(Type.String(), {
          description: 'Aliases of those who could read it',
          examples: [['P1', 'P2']],
        }),
      ),
    }),
    { description: 'The newest messages; `to` is null for messages to everyone' },
  ),
  view: Nullable(RoomSnapshot),
  study: Type.Object(
    {
      name: Type.String(),
      language: Type.String(),
      accent: Nullable(Type.String()),
      logo: Nullable(Type.String()),
    },
    { description: 'What the page around the view showed, in the language of this participant' },
  ),
})
export type RoomAtMoment = Type.Static<typeof RoomAtMoment>

const replay = {
  tag: 'Rooms',
  envelope: 'plain',
  auth: 'researcher',
  access: 'view',
  method: 'GET',
  params: RoomParams,
} as const

export const replayRoutes = {
  moments: defineRoute({
    ...replay,
    path: '/api/room/:roomId/moments',
    summary: 'List what has happened in a room',
    description:
      'Computed again from the log of the room, which may have ended. The room itself is neither woken nor moved. What players report to stay in step is left out.',
    query: Type.Object({
      after: Type.Optional(WholeNumber(anyMoment, 'Number of the last moment that is known already')),
      limit: Type.Optional(WholeNumber(momentsPerPage, 'Maximum number of results')),
    }),
    success: { status: 200, schema: RoomMoments, description: 'In the order in which they happened' },
  }),
  at: defineRoute({
    ...replay,
    path: '/api/room/:roomId/replay',
    summary: 'Get a room as it was at a moment',
    description:
      'From above, with all variables and answers; and, with `as`, what this participant saw: the snapshot that they would have received.',
    query: Type.Object({
      at: Type.Optional(
        WholeNumber(
          { ...anyMoment, usual: anyMoment.max },
          'Number of the moment; the nearest one that can be replayed',
        ),
      ),
      as: Type.Optional(SeatedId),
    }),
    success: {
      status: 200,
      schema: RoomAtMoment,
      description: '`view` is null without `as`, and if they had no seat then',
    },
  }),
} as const
