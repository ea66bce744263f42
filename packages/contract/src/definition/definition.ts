import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { FreeObject, Name, Prose } from '../text.ts'
import { Matching } from './matching.ts'
import { Block, DefinitionId, GlobalComponent, mostRoles, State } from './state.ts'

const Strict = { additionalProperties: false }
const Positive = (description: string) => Type.Integer({ minimum: 1, maximum: 10_000_000, description })

export const Role = Type.Union(
  [
    DefinitionId('Short form: just the id'),
    Type.Object(
      {
        id: DefinitionId('Used by join, states and components'),
        name: Type.Optional(Name(200, 'What people read')),
        min: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: limits.definition.groupSize,
            description: 'Fewest participants with this role in a group',
          }),
        ),
        max: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: limits.definition.groupSize,
            description: 'Most participants with this role in a group',
          }),
        ),
      },
      Strict,
    ),
  ],
  { description: 'A role that a participant may take' },
)

/** The long form of a variable. The short form is just its value at the start, in the scope of the room. */
export const Variable = Type.Object(
  {
    scope: Type.Optional(
      Type.Enum(['room', 'participant'], { description: 'Whose it is; the room’s when absent' }),
    ),
    initial: Type.Optional(Type.Unknown({ description: 'Value at the start; null when absent' })),
    compute: Type.Optional(Name(2_000, 'Expression that it always equals; never assigned then')),
    secret: Type.Optional(Type.Boolean({ description: 'Participants do not see it; false when absent' })),
  },
  { ...Strict, description: 'A variable' },
)
export type Variable = Type.Static<typeof Variable>

const longForm = ['scope', 'initial', 'compute', 'secret']

/** A declaration in its long form, whichever form it was written in. */
export const variableOf = (declared: unknown): Variable =>
  typeof declared === 'object' && declared !== null && longForm.some((name) => Object.hasOwn(declared, name))
    ? (declared as Variable)
    : { initial: declared }

const assignment = Type.Enum(['random', 'balanced', 'latin_square'], {
  description: 'How a treatment is chosen for a room or participant',
})

export const Conditions = Type.Object(
  {
    values: Type.Array(DefinitionId('A treatment'), {
      minItems: 1,
      maxItems: limits.definition.conditions,
    }),
    assign: Type.Optional(assignment),
    seed: Type.Optional(Name(200, 'Recorded with every assignment; the id of the experiment when absent')),
  },
  { ...Strict, description: 'Treatments and how they are assigned' },
)

export const Dropout = Type.Object(
  {
    policy: Type.Enum(['wait', 'continue', 'replace_with_agent', 'end'], {
      description:
        'What the others do without the one who left; `replace_with_agent` is refused until there are agents',
    }),
    graceMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600_000,
        description: 'Time to come back before the policy applies',
      }),
    ),
  },
  { ...Strict, description: 'What happens to a room when someone leaves it' },
)

export const Consent = Type.Object(
  {
    text: Type.Optional(Prose(100_000, 'What the participant agrees to')),
    minReadMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600_000,
        description: 'Time before the participant may agree; none when absent',
      }),
    ),
    requireScroll: Type.Optional(
      Type.Boolean({
        description: 'The participant may agree only at the end of the text; false when absent',
      }),
    ),
    sendsTextToModels: Type.Optional(
      Type.Boolean({
        description:
          'People’s words reach a language model; agents are refused without it; false when absent',
      }),
    ),
  },
  {
    ...Strict,
    description:
      'What the participant agrees to before the first state, the wait included: until then the server accepts nothing else of them (CONSENT_REQUIRED); no consent step when absent',
  },
)

export const Completion = Type.Object(
  {
    codes: Type.Optional(
      Type.Record(Type.String(), Name(200, 'The code of the recruiting platform'), {
        maxProperties: limits.definition.completionCodes,
        description:
          'Outcome (SUCCESS, TIMEOUT, SCREENED_OUT, NO_CONSENT, NOT_MATCHED, PARTNER_LEFT, ABANDONED, TECHNICAL, or one that a state ends with) → code; the outcome itself when absent',
      }),
    ),
    verify: Type.Optional(
      Type.Enum(['room', 'none'], {
        description:
          '`room`: what the room has decided is what the participant is given, and SUCCESS before the end of the flow is refused (NOT_FINISHED); `none`: the client decides. When absent, `room` where there is matching or a component that a state waits for, else `none`',
      }),
    ),
    redirectUrl: Type.Optional(
      Prose(
        2_000,
        'Template: {{code}}, {{participantId}} and {{metadata.X}} are filled in, URL-encoded, in the path, the query or the fragment; no address when absent',
      ),
    ),
    requireAllEvents: Type.Optional(
      Type.Boolean({
        description:
          'Completion is refused (EVENTS_MISSING) while the client counts more events than are stored, and without a summary (VALIDATION_FAILED); false when absent',
      }),
    ),
    allowRepeat: Type.Optional(
      Type.Boolean({ description: 'A person may take part again after completing; false when absent' }),
    ),
    payoff: Type.Optional(
      Name(
        64,
        'The variable that says what the participant has earned, recorded as `payoff` when their part ends; every variable that a payoff component shows when absent',
      ),
    ),
  },
  { ...Strict, description: 'The codes and the address that a participant gets at the end' },
)

/** R23a: the smallest definition is a name and one state; everything else has a default. */
export const ExperimentDefinition = Type.Object(
  {
    name: Name(200, 'What participants and researchers read'),
    description: Type.Optional(Prose(20_000, 'For researchers; participants do not see it')),
    states: Type.Array(State, {
      minItems: 1,
      maxItems: limits.definition.states,
      description: 'The steps of the experiment, in order',
    }),
    globalComponents: Type.Optional(
      Type.Array(GlobalComponent, { maxItems: 100, description: 'Components that stay across states' }),
    ),
    roles: Type.Optional(
      Type.Array(Role, {
        maxItems: mostRoles,
        description: 'Roles that a participant may take; only `participant` when absent',
      }),
    ),
    variables: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }), Type.Unknown(), {
        description: 'Name → initial value, or an object with `scope`, `initial`, `compute`, `secret`',
        additionalProperties: false,
        maxProperties: limits.definition.variables,
      }),
    ),
    conditions: Type.Optional(Conditions),
    blocks: Type.Optional(
      Type.Array(Block, {
        maxItems: 100,
        description: 'States that are played in a drawn order or for several rounds',
      }),
    ),
    pacing: Type.Optional(
      Type.Enum(['participant', 'room'], {
        description: 'Whether each participant moves on alone or the room moves together',
      }),
    ),
    access: Type.Optional(
      Type.Enum(['anyone', 'signed_in'], {
        description:
          'Who may join: `anyone` with the link, without an account, or only people who have `signed_in`; anyone when absent',
      }),
    ),
    capacity: Type.Optional(
      Positive('How many people may take part, those who have completed included; unlimited when absent'),
    ),
    matching: Type.Optional(Matching),
    dropout: Type.Optional(Dropout),
    consent: Type.Optional(Consent),
    completion: Type.Optional(Completion),
    metadata: Type.Optional(FreeObject('The researcher’s own notes; the platform does not read them')),
  },
  { ...Strict, description: 'An experiment, as data' },
)
export type ExperimentDefinition = Type.Static<typeof ExperimentDefinition>

/** How many people share a room. Bounded here too: earlier versions saved larger groups. */
export const groupSizeOf = (definition: ExperimentDefinition): { min: number; max: number } => {
  const size = definition.matching?.groupSize ?? 1
  const { min, max } = typeof size === 'number' ? { min: size, max: size } : size
  const most = limits.definition.groupSize
  return { min: Math.min(min, most), max: Math.min(max, most) }
}

/** The role of participants who take any role, and of everyone in an experiment without roles. */
export const anyRole = 'participant'

export const roleIdsOf = (definition: ExperimentDefinition): string[] =>
  (definition.roles ?? []).map((role) => (typeof role === 'string' ? role : role.id))

/** R20: the recruiting platform's code for an outcome; an outcome without a code is returned as it is. */
export const completionCodeOf = ({ completion }: ExperimentDefinition, outcome: string): string =>
  completion?.codes && Object.hasOwn(completion.codes, outcome)
    ? (completion.codes[outcome] ?? outcome)
    : outcome
