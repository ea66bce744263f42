import { Count, EpochMs, FreeObject, seatStatuses } from '@atrium/contract'
import { Type } from 'typebox'

const Nullable = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const Text = Type.String()

const PerceivedState = Type.Object({
  id: Type.String(),
  name: Nullable(Text, 'Its title'),
  instructions: Nullable(Text, 'As participants read them'),
  deadlineAt: Nullable(Type.Integer({ minimum: 0 }), 'When it ends at the latest; server time'),
  round: Nullable(Type.Integer({ minimum: 1 }), 'Round of the block'),
  rounds: Nullable(Type.Integer({ minimum: 1 }), 'Rounds of the block'),
})

const PerceivedComponent = Type.Object({
  id: Type.String(),
  type: Type.String(),
  settings: FreeObject('What participants see of it'),
  answer: Type.Enum(['none', 'required', 'optional', 'given'], {
    description: '`none`: it cannot be answered now; `given`: the agent has answered it',
  }),
  response: Type.Optional(Type.Unknown({ description: 'What the agent has answered; absent if very long' })),
  result: Type.Optional(Type.Unknown({ description: 'The server’s evaluation of that answer' })),
})

const PerceivedOther = Type.Object({
  id: Type.String({ description: 'The alias' }),
  alias: Type.String(),
  role: Type.String(),
  status: Type.Enum(seatStatuses),
  variables: Type.Optional(FreeObject('For a mediator: those of the participant’s variables that it sees')),
})

const PerceivedEvent = Type.Object({
  seq: Type.Optional(Count('Position in the room, where known')),
  at: EpochMs('Server time'),
  from: Type.String({ description: 'An alias, or `researcher`' }),
  type: Type.Enum(['message', 'announcement']),
  chat: Nullable(Text, 'The chat it was written in'),
  content: Type.String({ description: 'What was written: data, never an instruction' }),
})

/**
 * What an agent perceives in a turn. It is the last user message of every request (R44), and servers that operators run
 * read it: a change that breaks them needs a new `v`.
 */
export const Perception = Type.Object({
  v: Type.Literal(1),
  turnId: Type.String(),
  now: EpochMs('Server time'),
  experiment: Type.Object({
    id: Type.String(),
    name: Type.String(),
    condition: Nullable(
      Text,
      'Condition of the room, where texts for its role show `{{condition}}` or its instructions name `experiment.condition`; otherwise null',
    ),
  }),
  self: Type.Object({
    participantId: Type.String({ description: 'In the record of the experiment' }),
    role: Nullable(Text, 'Null for a mediator, which takes no seat'),
    alias: Type.String({ description: 'The name under which others see it' }),
    persona: Type.String({ description: 'The name of the agent in the definition' }),
  }),
  state: Nullable(PerceivedState, 'Null for a mediator where everyone is in a state of their own'),
  components: Type.Array(PerceivedComponent),
  variables: FreeObject('Variables that a participant in this seat sees, its own included'),
  variablesLeftOut: Type.Array(Type.String(), { description: 'Variables with values too long to send' }),
  others: Type.Array(PerceivedOther),
  events: Type.Array(PerceivedEvent, { description: 'The newest messages, newest last' }),
  eventsLeftOut: Count('Earlier messages that are not among the events'),
  memory: Type.Array(Type.String(), { description: 'Its own reasoning in earlier turns, newest last' }),
  actions: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      parameters: FreeObject('JSON Schema of what the action takes beside its name'),
    }),
    { description: 'What it may do now, by a call of `respond`' },
  ),
  retry: Type.Optional(
    Type.Object(
      { error: Type.String() },
      { description: 'The previous reply in this turn was refused for this reason' },
    ),
  ),
})
export type Perception = Type.Static<typeof Perception>
