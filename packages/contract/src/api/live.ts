import { Type } from 'typebox'
import { presences, seatStatuses } from '../room/view.ts'
import { Count, EpochMs } from '../text.ts'
import { RoomPlace } from './replay.ts'
import { RoomSummary } from './room.ts'
import { defineRoute } from './route.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const LiveRoom = Type.Object({
  roomId: Type.String(),
  position: Nullable(Count('Position of the room in the experiment, counted from 0; null until it starts')),
  status: RoomSummary.properties.status,
  resting: Type.Boolean({ description: 'Nobody is connected; `seats` is empty' }),
  state: Nullable(
    Type.Object(RoomPlace.properties, {
      description:
        'Where the room is, or its only participant; null before the first state and after the last, and if several move at their own pace',
    }),
  ),
  enteredAt: Nullable(EpochMs('When the state was entered; null where participants move at their own pace')),
  deadlineAt: Nullable(EpochMs('When the state ends at the latest')),
  seats: Type.Array(
    Type.Object({
      alias: Type.String(),
      status: Type.Enum(seatStatuses),
      presence: Type.Enum(presences),
      awaySince: Nullable(EpochMs('When the connection was lost')),
      state: Nullable(
        Type.String({ description: 'The state that they are in, if several move at their own pace' }),
      ),
    }),
  ),
})
export type LiveRoom = Type.Static<typeof LiveRoom>

/** What somebody said or answered, in one line. */
const LiveWord = Type.Object({
  roomId: Type.String(),
  number: Count('Number of the moment in the room’s log'),
  at: EpochMs('When it happened'),
  kind: Type.Enum(['message', 'answer', 'announcement']),
  alias: Nullable(Type.String({ description: 'Null for researchers' })),
  componentId: Nullable(Type.String()),
  text: Type.String({ description: 'The message, or the answer as JSON; at most 160 characters' }),
})
export type LiveWord = Type.Static<typeof LiveWord>

export const maxLiveRooms = 1_000
export const maxLiveWords = 100

const LiveExperiment = Type.Object({
  at: EpochMs('When this was read'),
  joined: Count('Participants who have joined'),
  consented: Count('Participants who have given their consent or were not asked for it'),
  placed: Count('Participants who have had a room'),
  active: Count('Participants still taking part'),
  completed: Count('Participants who ended with SUCCESS or with an outcome that the experiment defines'),
  waiting: Type.Object({
    people: Count('Participants who wait for a group and are connected'),
    first: Type.Array(
      Type.Object({
        participantId: Type.String(),
        role: Type.String(),
        since: EpochMs('When they began to wait'),
      }),
      { description: 'Those who have waited longest; at most 50' },
    ),
  }),
  usual: Type.Array(
    Type.Object({
      stateId: Type.String(),
      medianMs: Count('How long half of the newest visits took at most'),
      visits: Count('Number of these visits'),
    }),
    { description: 'States that participants have left before' },
  ),
  rooms: Type.Array(LiveRoom, { description: `Open rooms, the newest first; at most ${maxLiveRooms}` }),
  hasMoreRooms: Type.Boolean(),
  words: Type.Array(LiveWord, {
    description: `What was said and answered last in the open rooms, the newest first; at most ${maxLiveWords}`,
  }),
})
export type LiveExperiment = Type.Static<typeof LiveExperiment>

const LivePush = Type.Object({
  ...LiveExperiment.properties,
  isWhole: Type.Boolean({
    description: 'False: `rooms` has only those that changed, `words` only those that are new',
  }),
  gone: Type.Array(Type.String(), { description: 'Ids of rooms that have ended' }),
})
export type LivePush = Type.Static<typeof LivePush>

const live = {
  tag: 'Rooms',
  envelope: 'plain',
  auth: 'researcher',
  access: 'view',
  method: 'GET',
  params: Type.Object({ experimentId: Type.String() }),
} as const

export const liveRoutes = {
  read: defineRoute({
    ...live,
    path: '/api/experiments/:experimentId/live',
    summary: 'See who waits and where the open rooms are',
    description: 'Wakes and moves no room. To be told of changes, read the stream.',
    success: { status: 200, schema: LiveExperiment, description: 'What is going on now' },
  }),
  stream: defineRoute({
    ...live,
    path: '/api/experiments/:experimentId/live/stream',
    summary: 'Follow what is going on',
    description:
      'Server-sent events. The first is whole; others follow when something has changed, at most about one a second, and a comment every 15 seconds when nothing has. The stream ends when your token expires, when you lose access, and when the instance shuts down: open it again. Each person may have 10 open on each instance (`UNAVAILABLE` beyond that).',
    success: {
      status: 200,
      contentType: 'text/event-stream',
      schema: LivePush,
      description: 'Each `data` line is one of these, as JSON',
    },
  }),
} as const
