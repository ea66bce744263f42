import { Type } from 'typebox'
import { RecordOf } from '../record-of.ts'
import { Count, EpochMs, FreeObject } from '../text.ts'
import {
  ComponentView,
  CrowdView,
  MessageView,
  OtherView,
  presences,
  StateView,
  seatStatuses,
  UnreadResult,
} from './view.ts'

const event = <Name extends string, Fields extends Type.TProperties>(type: Name, fields: Fields) =>
  Type.Object({
    seq: Count(
      'Increases with every event of the room; numbers of events that are not for this participant are skipped',
    ),
    at: EpochMs('Server time'),
    type: Type.Literal(type),
    ...fields,
  })

/** R26: what has happened in the room since the snapshot. */
export const RoomEvent = Type.Union([
  event('state_entered', {
    state: StateView,
    globalComponents: Type.Array(ComponentView),
    progress: Type.Object({ done: Count('Steps completed'), of: Count('Total number of steps') }),
    unread: Type.Optional(UnreadResult),
  }),
  event('response_recorded', { alias: Type.String(), componentId: Type.String() }),
  event('result', {
    componentId: Type.String(),
    result: FreeObject('The server’s evaluation of a response'),
  }),
  event('message', { message: MessageView }),
  event('ready', { alias: Type.String() }),
  event('presence', { alias: Type.String(), presence: Type.Enum(presences) }),
  event('seat', { alias: Type.String(), status: Type.Enum(seatStatuses) }),
  event('crowd', { crowd: CrowdView }),
  event('seated', { other: OtherView }),
  event('neighbours', {
    others: Type.Array(OtherView, { description: 'Everyone whom they see from now on, as in a snapshot' }),
  }),
  event('roles', {
    roles: RecordOf(Type.String(), Type.String(), {
      description: 'Alias → role, of everyone whose role is another from now on',
    }),
    names: RecordOf(Type.String(), Type.String(), {
      description: 'Role → its name in this participant’s language, where it has one',
    }),
  }),
  event('variables', { room: FreeObject('Changed'), self: FreeObject('Changed') }),
  event('texts', {
    state: StateView,
    globalComponents: Type.Array(ComponentView),
  }),
  event('paused', { reason: Type.String() }),
  event('resumed', {
    deadlineAt: Type.Union([EpochMs('Moved by the length of the pause'), Type.Null()]),
    shownDeadlineAt: Type.Optional(EpochMs('That of the state, moved as well; absent where it has none')),
  }),
  event('announcement', { text: Type.String() }),
  event('finished', {
    outcome: Type.String({ description: 'The outcome to complete with' }),
    completionCode: Type.Union([Type.String(), Type.Null()], {
      description:
        'Sent at once to a removed participant, because their session ends; null for everyone else',
    }),
  }),
  event('stage_finished', {
    stage: Type.String({ description: 'The stage that this participant has finished' }),
    next: Type.String({ description: 'The stage that they play next: they wait for its room on `/waiting`' }),
  }),
  event('room_ended', { reason: Type.String() }),
])
export type RoomEvent = Type.Static<typeof RoomEvent>
export type RoomEventType = RoomEvent['type']
