import { Type } from 'typebox'
import { Count, EpochMs, Name } from '../text.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** R25: what a waiting participant is told, on connecting and whenever it changes. */
export const WaitingStatus = Type.Object({
  experimentId: Type.String(),
  stage: Type.Optional(
    Type.String({
      description:
        'The stage whose room they wait for, where they have finished the one before; absent before the first',
    }),
  ),
  waiting: Count('People waiting'),
  needed: Count('People who must still come before this participant’s group is complete'),
  neededToStart: Count(
    'People who must still come before the group can start, at the latest at the deadline; less than `needed` where groups may be smaller then',
  ),
  groupSize: Type.Optional(
    Type.Integer({ minimum: 1, description: 'People in a complete group, this participant included' }),
  ),
  position: Type.Integer({ minimum: 1, description: 'Position in the queue, by arrival' }),
  waitedMs: Count('How long this participant has waited'),
  deadlineAt: Nullable(EpochMs('When the wait ends at the latest; null when the experiment sets no limit')),
  atDeadline: Type.Optional(
    Type.Enum(['start', 'end', 'wait', 'go_on'], {
      description:
        'What happens then if the group is not complete: it may `start` all the same, the wait may `end`, people may `wait` on, or they `go_on` to another stage',
    }),
  ),
  estimateMs: Nullable(
    Count(
      'How much longer it may take, judging by recent arrivals, and at most until the deadline; null when it cannot be estimated',
    ),
  ),
  held: Nullable(
    Type.Enum(['capacity'], {
      description:
        '`capacity`: enough people are waiting, but no instance has capacity for a group at the moment',
    }),
  ),
  serverTime: EpochMs('Current server time'),
})
export type WaitingStatus = Type.Static<typeof WaitingStatus>

/** The contract's event. An assignment is state: it is sent again whenever the participant connects. */
export const RoomAssigned = Type.Object({
  roomId: Type.String({ description: 'The room' }),
  redirectUrl: Type.String({
    description: '/experiment/<room_id>',
    examples: ['/experiment/room_3fK9xT2b'],
  }),
})
export type RoomAssigned = Type.Static<typeof RoomAssigned>

const waitingEndReasons = ['deadline', 'closed', 'screened_out', 'left', 'full'] as const

export const WaitingEnded = Type.Object({
  reason: Type.Enum(waitingEndReasons, {
    description:
      '`deadline`: no group was formed in time; `closed`: the experiment was closed first; `screened_out`: the participant does not fit the experiment; `left`: the participant left; `full`: the participant had left and came back when all places were taken',
  }),
  completionCode: Nullable(
    Type.String({ description: 'The session is completed with this code; null when it is not completed' }),
  ),
  redirectUrl: Type.String({ description: 'Where to go from here; empty when the experiment names nothing' }),
})
export type WaitingEnded = Type.Static<typeof WaitingEnded>

/** What a participant may do while waiting. The name is the socket event; actions are acknowledged with `{ok}`. */
export const waitingActions = {
  leave_waiting: Type.Object(
    { reason: Type.Optional(Name(200, 'The reason, in the participant’s words')) },
    { additionalProperties: false },
  ),
} as const
