import { Type } from 'typebox'
import { Count, EpochMs, FreeObject } from '../text.ts'
import { ComponentView, MessageView, presences, StateView, seatStatuses } from './view.ts'

const event = <Name extends string, Fields extends Type.TProperties>(type: Name, fields: Fields) =>
  Type.Object({
    seq: Count('Grows with every event of the room; what is not for you is left out'),
    at: EpochMs('Clock of the server'),
    type: Type.Literal(type),
    ...fields,
  })

/** R26: what happened in the room since the snapshot. */
export const RoomEvent = Type.Union([
  event('state_entered', {
    state: StateView,
    globalComponents: Type.Array(ComponentView),
    progress: Type.Object({ done: Count('Steps behind'), of: Count('Steps in all') }),
  }),
  event('response_recorded', { alias: Type.String(), componentId: Type.String() }),
  event('result', { componentId: Type.String(), result: FreeObject('What the server made of a response') }),
  event('message', { message: MessageView }),
  event('ready', { alias: Type.String() }),
  event('presence', { alias: Type.String(), presence: Type.Enum(presences) }),
  event('seat', { alias: Type.String(), status: Type.Enum(seatStatuses) }),
  event('variables', { room: FreeObject('Changed'), self: FreeObject('Changed') }),
  event('paused', { reason: Type.String() }),
  event('resumed', { deadlineAt: Type.Union([EpochMs('Moved by the length of the pause'), Type.Null()]) }),
  event('announcement', { text: Type.String() }),
  event('finished', {
    outcome: Type.String({ description: 'What to complete with' }),
    completionCode: Type.Union([Type.String(), Type.Null()], {
      description: 'Given at once to who was removed, for their session ends with it; null to everyone else',
    }),
  }),
  event('room_ended', { reason: Type.String() }),
])
export type RoomEvent = Type.Static<typeof RoomEvent>
export type RoomEventType = RoomEvent['type']
