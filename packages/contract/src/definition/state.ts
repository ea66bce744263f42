import { Type } from 'typebox'
import { titled } from '../components/annotations.ts'
import { limits } from '../limits.ts'
import { idPattern } from '../name-patterns.ts'
import { RecordOf } from '../record-of.ts'
import { Name, Prose } from '../text.ts'
import { Rewiring } from './network.ts'
import { ParticipantText } from './participant-text.ts'
import { Trials } from './trials.ts'

export const DefinitionId = (description: string) => Type.String({ pattern: idPattern, description })

export const maxRoles = 100

const RoleIds = Type.Array(DefinitionId('A declared role'), {
  maxItems: maxRoles,
  description: 'Roles that see it; everyone when absent',
})
const Ms = (description: string) => Type.Integer({ minimum: 0, maximum: 86_400_000, description })

/** Whether a participant with this role sees something. `role` is null until assigned; without `roles`, everyone does. */
export const isForRole = ({ roles }: { roles?: readonly string[] }, role: string | null): boolean =>
  roles === undefined || (role !== null && roles.includes(role))

/** R61 */
const When = titled(
  'Shown when',
  Type.Optional(
    Name(
      2_000,
      'Expression, evaluated for each participant: the component is shown while it is true, and always when absent. `answers.x` is what they have entered on the same page',
    ),
  ),
)

/** R62 */
const ForEach = titled(
  'Ask about',
  Type.Optional(
    Type.Enum(['others', 'neighbours'], {
      description:
        '`others`: asked once for each other member of the room; `neighbours`: once for each neighbour in the network. The response is an object from alias to answer. Texts and settings can read `each.alias`, `each.role` and `each.<participant variable>`. For types whose answers are sent with the button of the page; asked once when absent',
    }),
  ),
)

/** Further settings depend on the component type and are checked by the catalogue. */
export const Component = Type.Object(
  {
    id: Name(200, 'Unique within its state'),
    type: DefinitionId('A component type'),
    roles: Type.Optional(RoleIds),
    required: Type.Optional(
      Type.Boolean({
        description: 'Whether the state waits for its response; depends on its type when absent',
      }),
    ),
    saveTo: Type.Optional(Name(64, 'Variable that stores the response; none when absent')),
    when: When,
    forEach: ForEach,
  },
  { description: 'Something the participant sees or responds to; further settings depend on its type' },
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
    when: When,
  },
  { description: 'A component shown across states' },
)

const Outcome = (description: string) => Name(200, description)

/** R57: where a state goes at its deadline. */
const onTimeout = (description: string) =>
  Type.Optional(
    Type.Object(
      {
        to: Type.Optional(
          Type.String({
            pattern: idPattern,
            description: 'A later state, or `end`; `end` when absent',
          }),
        ),
        outcome: Type.Optional(Outcome('Outcome for participants in the state; SUCCESS when absent')),
      },
      { additionalProperties: false, description },
    ),
  )
const OnTimeout = onTimeout(
  'Where to go once `afterMs` has passed, instead of `next`; `next` decides when absent',
)

/** How long several states may take together. */
export const timeLimit = (description: string, whenAbsent: string) =>
  Type.Object(
    {
      afterMs: Type.Integer({
        minimum: 1,
        maximum: 86_400_000,
        examples: [600_000],
        title: 'Time limit',
        description: 'Milliseconds after the first of its states is entered',
      }),
      onTimeout: onTimeout(`Where to go once the time is over; ${whenAbsent} when absent`),
      show: Type.Optional(
        Type.Boolean({
          description:
            'Whether pages count down to it, unless the state has a deadline of its own; true when absent',
        }),
      ),
    },
    { additionalProperties: false, title: 'Time limit', description },
  )

const deadline = {
  afterMs: Type.Optional(Ms('Deadline, in milliseconds after the state is entered; none when absent')),
  perPersonMs: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 86_400_000,
      title: 'Time for each participant',
      description:
        'Milliseconds for each participant, from when they are first there while the state lasts. After that they wait, and nobody waits for them; none when absent',
    }),
  ),
  onTimeout: OnTimeout,
}

/** How a state ends. `on` names the rule; absolute deadlines are computed by the server from `afterMs`. */
export const StateEnd = Type.Union(
  [
    Type.Object({
      on: Type.Literal('button'),
      label: Type.Optional(ParticipantText(Name(200, 'Button text'))),
      ...deadline,
    }),
    Type.Object({
      on: Type.Literal('timed'),
      afterMs: Object.assign(Ms('Duration of the state, in milliseconds'), { examples: [60_000] }),
      onTimeout: OnTimeout,
    }),
    Type.Object({ on: Type.Literal('all_responded'), ...deadline }),
    Type.Object({ on: Type.Literal('any_responded'), ...deadline }),
    Type.Object({
      on: Type.Literal('media_ended'),
      componentId: Name(200, 'The video or audio component'),
      ...deadline,
    }),
    Type.Object({
      on: Type.Literal('condition'),
      when: Name(2_000, 'Expression over variables and responses'),
      ...deadline,
    }),
  ],
  { description: 'How the state ends; with a button when absent' },
)

/** The id of the end of the experiment in transitions. */
export const endOfExperiment = 'end'

/** The id of the state that a try begins with to skip others. Reserved, as is the end. */
export const startOfTry = 'try:start'

export const Transition = Type.Object(
  {
    to: Type.String({ pattern: idPattern, description: 'A state, or `end`' }),
    when: Type.Optional(Name(2_000, 'Expression; the first transition whose expression is true is taken')),
    atMost: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'How often it can be taken; required for loops',
      }),
    ),
    outcome: Type.Optional(
      Outcome('Outcome for participants who take it; only with `to: "end"`; SUCCESS when absent'),
    ),
  },
  { additionalProperties: false, description: 'Where to go from a state' },
)

/** Room variables are computed once, participant variables for each participant. */
const Assignments = (description: string) =>
  RecordOf(Type.String(), Name(2_000, 'Expression'), {
    maxProperties: limits.definition.variables,
    description: `${description}: variable → expression`,
  })

const Shuffle = Type.Union(
  [
    Type.Boolean({ title: 'All components' }),
    Type.Array(Name(200, 'A component of the state'), {
      title: 'Some components',
      minItems: 2,
      maxItems: 200,
      description: 'These change places with each other; the others stay where they are',
    }),
  ],
  {
    title: 'Random order',
    description:
      'Whether the components are shown in random order, drawn for each participant and visit from the recorded seed: `true`, or the ids of those that change places with each other; false when absent',
  },
)

export const State = Type.Object(
  {
    id: DefinitionId('Unique in the definition'),
    name: Type.Optional(ParticipantText(Name(200, 'Title of the state'))),
    instructions: Type.Optional(ParticipantText(Prose(20_000, 'Instructions for participants and agents'))),
    agentInstructions: Type.Optional(
      Prose(20_000, 'Told to agents in this state, after their own instructions; participants do not see it'),
    ),
    components: Type.Array(Component, { maxItems: 200, description: 'What the state shows; may be empty' }),
    shuffle: Type.Optional(Shuffle),
    roles: Type.Optional(RoleIds),
    end: Type.Optional(StateEnd),
    onEnter: Type.Optional(Assignments('Computed when the state is entered')),
    onEnd: Type.Optional(Assignments('Computed when the state ends, before the next one is chosen')),
    rewire: Type.Optional(Rewiring),
    next: Type.Optional(
      Type.Array(Transition, {
        maxItems: limits.definition.states,
        description: 'Where to go from here; the next state in the list when absent',
      }),
    ),
  },
  { additionalProperties: false, description: 'One step of the experiment' },
)
export type State = Type.Static<typeof State>

/** The order is drawn per room or participant, and the seed is recorded. */
export const Block = Type.Object(
  {
    id: DefinitionId('Unique among blocks'),
    states: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: limits.definition.states,
      description:
        'Ids of the states in the block, or of blocks that are played as one of its members, up to three deep',
    }),
    order: Type.Optional(
      Type.Enum(['fixed', 'random', 'latin_square'], {
        description:
          'How the order of the states and blocks in it is chosen; `random` is drawn for every round, `latin_square` takes a row of a balanced Latin square, which is balanced with the conditions and the other blocks; fixed when absent',
      }),
    ),
    sample: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.definition.states,
        title: 'States to draw',
        description:
          'How many of the states and blocks in it are played: drawn once for all rounds, without replacement; all when absent. With `latin_square`, those at the beginning of its row, so that all states are played equally often',
      }),
    ),
    rounds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'Number of rounds; 1 when absent',
      }),
    ),
    until: Type.Optional(
      Name(
        2_000,
        'Expression, evaluated after each round but the last: as soon as it is true, the block is over. For each participant, or for the room where everyone moves together; all `rounds` are played when absent',
      ),
    ),
    rotateRoles: Type.Optional(
      Type.Boolean({
        title: 'Rotate roles',
        description:
          'Whether everyone takes the next role in each further round, in the order of `roles` and of the seats, so that each role has as many people as before. After the block, everyone has the role that they were matched with; false when absent',
      }),
    ),
    timeLimit: Type.Optional(
      timeLimit('How long the block may take, with all its rounds and trials', 'to what follows the block'),
    ),
    when: Type.Optional(
      Name(
        2_000,
        'Expression, evaluated whenever the block is about to begin: unless it is true, the block is skipped, with all its rounds. For each participant, or for the room where everyone moves together; always played when absent',
      ),
    ),
    per: Type.Optional(
      Type.Enum(['room', 'participant'], {
        title: 'Asked of',
        description:
          'In a group that moves together, whether `when` decides for the `room`, or for each `participant`: those for whom it is not true wait while the others play the block; room when absent',
      }),
    ),
    trials: Type.Optional(Trials),
  },
  {
    additionalProperties: false,
    description: 'States played in a given or random order, for one or more rounds',
  },
)
