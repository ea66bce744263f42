import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Name, Prose } from '../text.ts'

const idPattern = '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$'
export const DefinitionId = (description: string) => Type.String({ pattern: idPattern, description })

export const mostRoles = 100

const RoleIds = Type.Array(DefinitionId('A declared role'), {
  maxItems: mostRoles,
  description: 'Who sees it; everyone when absent',
})
const Ms = (description: string) => Type.Integer({ minimum: 0, maximum: 86_400_000, description })

/** Whether something is for a participant of this role, which is null until assigned. Without roles it is for everyone. */
export const isForRole = ({ roles }: { roles?: readonly string[] }, role: string | null): boolean =>
  roles === undefined || (role !== null && roles.includes(role))

/** Settings beside `id` and `type` belong to the component type and are checked by the catalogue. */
export const Component = Type.Object(
  {
    id: Name(200, 'Unique within its state'),
    type: DefinitionId('A component type'),
    roles: Type.Optional(RoleIds),
    required: Type.Optional(
      Type.Boolean({ description: 'Whether the state waits for its response; as its type says when absent' }),
    ),
    saveTo: Type.Optional(Name(64, 'The variable that the response is written to; none when absent')),
  },
  { description: 'Something the participant sees or answers; further settings depend on its type' },
)
export type Component = Type.Static<typeof Component>

export const GlobalComponent = Type.Object(
  {
    id: Name(200, 'Unique in the definition'),
    type: DefinitionId('A component type'),
    roles: Type.Optional(RoleIds),
    states: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: limits.definition.states,
        description: 'States that show it; all when absent',
      }),
    ),
  },
  { description: 'A component that stays across states' },
)

const Outcome = (description: string) => Name(200, description)

/** R57: where the deadline of a state leads. */
const OnTimeout = Type.Optional(
  Type.Object(
    {
      to: Type.Optional(
        Type.String({
          pattern: idPattern,
          description: 'A later state, or `end`; `end` when absent and an outcome is named',
        }),
      ),
      outcome: Type.Optional(Outcome('How it ends for whoever was in the state; SUCCESS when absent')),
    },
    {
      additionalProperties: false,
      description: 'Where to go when `afterMs` has passed, instead of `next`; as `next` says when absent',
    },
  ),
)

const deadline = { afterMs: Type.Optional(Ms('At the latest')), onTimeout: OnTimeout }

/** How a state ends. `on` names the rule; absolute deadlines are computed by the server from `afterMs`. */
export const StateEnd = Type.Union(
  [
    Type.Object({
      on: Type.Literal('button'),
      label: Type.Optional(Name(200, 'Text of the button')),
      ...deadline,
    }),
    Type.Object({ on: Type.Literal('timed'), afterMs: Ms('Time in the state'), onTimeout: OnTimeout }),
    Type.Object({ on: Type.Literal('all_responded'), ...deadline }),
    Type.Object({ on: Type.Literal('any_responded'), ...deadline }),
    Type.Object({
      on: Type.Literal('media_ended'),
      componentId: Name(200, 'The video or audio'),
      ...deadline,
    }),
    Type.Object({
      on: Type.Literal('condition'),
      when: Name(2_000, 'Expression over variables and responses'),
      ...deadline,
    }),
  ],
  { description: 'How the state ends; by a button when absent' },
)

/** The id that stands for "the experiment ends here". */
export const endOfExperiment = 'end'

export const Transition = Type.Object(
  {
    to: Type.String({ pattern: idPattern, description: 'A state, or `end`' }),
    when: Type.Optional(Name(2_000, 'Expression; the first transition whose expression holds is taken')),
    atMost: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Bound of a loop' })),
    outcome: Type.Optional(
      Outcome('How it ends for whoever takes it; only with `to: "end"`; SUCCESS when absent'),
    ),
  },
  { additionalProperties: false, description: 'Where the experiment goes from a state' },
)

/** Room variables are computed once, participant variables for each participant. */
const Assignments = (description: string) =>
  Type.Record(Type.String(), Name(2_000, 'Expression'), {
    maxProperties: limits.definition.variables,
    description: `${description}: variable → expression`,
  })

export const State = Type.Object(
  {
    id: DefinitionId('Unique in the definition'),
    name: Type.Optional(Name(200, 'Title')),
    instructions: Type.Optional(Prose(20_000, 'What people and agents are told')),
    components: Type.Array(Component, { maxItems: 200, description: 'What the state shows; may be empty' }),
    roles: Type.Optional(RoleIds),
    end: Type.Optional(StateEnd),
    onEnter: Type.Optional(Assignments('Computed when the state is entered')),
    onEnd: Type.Optional(Assignments('Computed when the state ends, before the next one is chosen')),
    next: Type.Optional(
      Type.Array(Transition, {
        maxItems: limits.definition.states,
        description: 'Where to go from here; the following state in the list when absent',
      }),
    ),
  },
  { additionalProperties: false, description: 'One step of the experiment' },
)
export type State = Type.Static<typeof State>

/** States played in an order drawn per room or participant, for a number of rounds; the seed is recorded. */
export const Block = Type.Object(
  {
    id: DefinitionId('Unique among blocks'),
    states: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: limits.definition.states,
      description: 'Ids of the states in the block',
    }),
    order: Type.Optional(
      Type.Enum(['fixed', 'random', 'latin_square'], {
        description: 'How the order of the states is drawn; fixed when absent',
      }),
    ),
    rounds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'How often the block is played; once when absent',
      }),
    ),
  },
  { additionalProperties: false, description: 'States played in a drawn order, for a number of rounds' },
)
