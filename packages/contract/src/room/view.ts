import { Type } from 'typebox'
import { RecordOf } from '../record-of.ts'
import { Count, EpochMs, FreeObject } from '../text.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const seatStatuses = ['active', 'dropped', 'left', 'removed', 'replaced', 'finished', 'agent'] as const
export type SeatStatus = (typeof seatStatuses)[number]
export const presences = ['connected', 'away'] as const

/** A component as a participant sees it: its type and settings, without what only the server may know. */
export const ComponentView = Type.Object({
  id: Type.String(),
  type: Type.String(),
  when: Type.Optional(
    FreeObject(
      'What is left of the condition under which it is shown, as a tree that reads `answers` of this page alone; the same on options and rows. Absent where the server has decided',
    ),
  ),
  targets: Type.Optional(
    Type.Array(
      Type.Object({
        alias: Type.String(),
        component: FreeObject('The component with the texts and settings that it has for them'),
      }),
      {
        description:
          'The members of the room that it asks about, where it has `forEach`; a response is an object from alias to answer',
      },
    ),
  ),
})
export type ComponentView = Type.Static<typeof ComponentView> & Record<string, unknown>

export const StateView = Type.Object({
  id: Type.String(),
  name: Nullable(Type.String()),
  instructions: Nullable(Type.String()),
  visit: Count('Counts the states entered; tells two visits to the same state apart'),
  round: Nullable(Type.Integer({ minimum: 1, description: 'Round of the block' })),
  rounds: Nullable(Type.Integer({ minimum: 1 })),
  enteredAt: EpochMs('Server time'),
  deadlineAt: Nullable(EpochMs('When the state ends at the latest')),
  hidesDeadline: Type.Optional(
    Type.Boolean({ description: 'It is a time limit that the study does not count down to' }),
  ),
  shownDeadlineAt: Type.Optional(
    EpochMs(
      'With `hidesDeadline`: what pages count down to instead; absent where nothing else can end the state',
    ),
  ),
  endsOn: Type.String({ description: 'How the state ends' }),
  buttonLabel: Nullable(Type.String()),
  components: Type.Array(ComponentView),
  isWaiting: Type.Boolean({
    description: 'The state belongs to others, by their role or because this participant skips it; they wait',
  }),
})
export type StateView = Type.Static<typeof StateView>

export const UnreadResult = Type.Object(
  { componentId: Type.String(), result: FreeObject('The server’s evaluation') },
  {
    description:
      'Evaluation of a response to the state before, which ended before it could be read: to be shown in this state',
  },
)

const SelfView = Type.Object({
  participantId: Type.String(),
  alias: Type.String({ description: 'The name under which others see this participant' }),
  role: Type.String(),
  status: Type.Enum(seatStatuses),
  outcome: Nullable(Type.String({ description: 'The outcome to complete with, once it is known' })),
  nextStage: Type.Optional(
    Type.String({ description: 'The stage that the participant has gone on to; they wait for its room' }),
  ),
  ready: Type.Boolean(),
  responses: FreeObject('Own responses in the current state, by component'),
  results: FreeObject('The server’s evaluation of them, e.g. of a comprehension check'),
  variables: FreeObject('Own variables'),
  unread: Type.Optional(UnreadResult),
})

export const OtherView = Type.Object({
  alias: Type.String(),
  role: Type.String(),
  roleName: Type.Optional(
    Type.String({ description: 'The name of the role, in this participant’s language, where it has one' }),
  ),
  status: Type.Enum(seatStatuses),
  presence: Type.Enum(presences),
  ready: Type.Boolean(),
  agent: Type.Optional(
    Type.String({ description: 'The name of the agent in this seat, where agents are disclosed' }),
  ),
})

/** R73: a group that is too large for every page to list it, in figures. Everybody counts, this participant too. */
export const CrowdView = Type.Object(
  {
    members: Count('Who takes part: people, and agents in seats'),
    away: Count('Members who are not connected, and may be back any moment'),
    dropped: Count('People who have been away too long to be waited for, but can come back'),
    gone: Count('People who have left, were removed, or have finished'),
    ready: Count('Members who are ready to go on'),
    roles: RecordOf(Type.String(), Count('Members'), { description: 'Role → how many members have it' }),
    agents: Count('Agents among the members, where agents are disclosed; otherwise 0'),
  },
  {
    description:
      'In rooms of more than 50: the others in figures, instead of one by one. Sent again at most once a second',
  },
)
export type CrowdView = Type.Static<typeof CrowdView>

export const MessageView = Type.Object({
  messageId: Type.String(),
  from: Type.String({ description: 'An alias, the name of a mediator, or `researcher`' }),
  componentId: Nullable(Type.String()),
  text: Type.String(),
  at: EpochMs('Server time'),
  agent: Type.Optional(Type.Boolean({ description: 'An agent wrote it, where agents are disclosed' })),
})
export type MessageView = Type.Static<typeof MessageView>

/** R26: everything the participant may see, sent on every connect. */
export const RoomSnapshot = Type.Object({
  roomId: Type.String(),
  experimentId: Type.String(),
  seq: Count('The newest event it includes'),
  serverTime: EpochMs('Current server time'),
  status: Type.Enum(['running', 'paused', 'ended']),
  condition: Nullable(
    Type.String({
      description:
        'Condition of the room, where texts for this participant show it as `{{condition}}`; otherwise null',
    }),
  ),
  self: SelfView,
  others: Type.Array(OtherView, {
    description: 'Empty in rooms of more than 50, which have `crowd` instead',
  }),
  crowd: Type.Optional(CrowdView),
  state: Nullable(StateView),
  globalComponents: Type.Array(ComponentView),
  variables: FreeObject('Variables of the room'),
  messages: Type.Array(MessageView, { description: 'The newest messages' }),
  progress: Type.Object({ done: Count('Steps completed'), of: Count('Total number of steps, as planned') }),
})
export type RoomSnapshot = Type.Static<typeof RoomSnapshot>
