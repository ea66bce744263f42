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
  state: Nullable(RoomPlace),
  enteredAt: Nullable(EpochMs('When the state was entered; null where participants move at their own pace')),
  deadlineAt: Nullable(EpochMs('When the state ends at the latest')),
  seats: Type.Array(
    Type.Object({
      alias: Type.String(),
      status: Type.Enum(seatStatuses),
      presence: Type.Enum(presences),
      awaySince: Nullable(EpochMs('When the connection was lost')),
    }),
  ),
})
export type LiveRoom = Type.Static<typeof LiveRoom>

const LiveExperiment = Type.Object({
  at: EpochMs('When this was read'),
  joined: Count('Participants who have joined'),
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
  rooms: Type.Array(LiveRoom, { description: 'Open rooms, the newest first; at most 50' }),
  hasMoreRooms: Type.Boolean(),
})
export type LiveExperiment = Type.Static<typeof LiveExperiment>

export const liveRoutes = {
  read: defineRoute({
    tag: 'Rooms',
    envelope: 'plain',
    auth: 'researcher',
    access: 'view',
    method: 'GET',
    path: '/api/experiments/:experimentId/live',
    summary: 'See who waits and where the open rooms are',
    description: 'Wakes and moves no room. Ask again every few seconds; nothing is pushed.',
    params: Type.Object({ experimentId: Type.String() }),
    success: { status: 200, schema: LiveExperiment, description: 'What is going on now' },
  }),
} as const
