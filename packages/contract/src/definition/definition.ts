import { Type } from 'typebox'
import { FreeObject, Name, Prose } from '../text.ts'
import { Block, DefinitionId, GlobalComponent, State } from './state.ts'

const Strict = { additionalProperties: false }
const Positive = (description: string) => Type.Integer({ minimum: 1, maximum: 10_000_000, description })

export const Role = Type.Union([
  DefinitionId('Short form: just the id'),
  Type.Object(
    {
      id: DefinitionId('Used by join, states and components'),
      name: Type.Optional(Name(200, 'What people read')),
      min: Type.Optional(Type.Integer({ minimum: 0, description: 'At least so many in a group' })),
      max: Type.Optional(Type.Integer({ minimum: 1, description: 'At most so many in a group' })),
    },
    Strict,
  ),
])

const assignment = Type.Union([
  Type.Literal('random'),
  Type.Literal('balanced'),
  Type.Literal('latin_square'),
])

export const Conditions = Type.Object(
  {
    values: Type.Array(DefinitionId('A treatment'), { minItems: 1 }),
    assign: Type.Optional(assignment),
    seed: Type.Optional(Name(200, 'Recorded with every assignment; drawn when absent')),
  },
  Strict,
)

const GroupSize = Type.Union([
  Positive('People in a room'),
  Type.Object({ min: Positive('At least'), max: Positive('At most') }, Strict),
])

export const Matching = Type.Object(
  {
    groupSize: GroupSize,
    deadlineMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400_000 })),
    onDeadline: Type.Optional(
      Type.Union(
        ['wait', 'start_short', 'fill_with_agent', 'end_paid'].map((policy) => Type.Literal(policy)),
      ),
    ),
    filters: Type.Optional(
      Type.Array(FreeObject('Attribute of the join metadata and what it must be'), { maxItems: 50 }),
    ),
    balance: Type.Optional(Type.Array(Name(200, 'Attribute of the join metadata to spread over groups'))),
    exclusions: Type.Optional(
      Type.Array(Name(200, 'Rule that keeps people apart, e.g. never_again, same_source'), { maxItems: 50 }),
    ),
  },
  Strict,
)

export const Dropout = Type.Object(
  {
    policy: Type.Union(
      ['wait', 'continue', 'replace_with_agent', 'end'].map((policy) => Type.Literal(policy)),
    ),
    graceMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
  },
  Strict,
)

export const Consent = Type.Object(
  {
    text: Type.Optional(Prose(100_000, 'What the participant agrees to')),
    minReadMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
    requireScroll: Type.Optional(Type.Boolean()),
    sendsTextToModels: Type.Optional(
      Type.Boolean({ description: 'People’s words reach a language model; without it agents are refused' }),
    ),
  },
  Strict,
)

export const Completion = Type.Object(
  {
    codes: Type.Optional(
      Type.Record(Type.String(), Name(200, 'The code of the recruiting platform'), {
        description: 'Outcome (SUCCESS, TIMEOUT, SCREENED_OUT, NO_CONSENT, TECHNICAL, ABANDONED, …) → code',
      }),
    ),
    redirectUrl: Type.Optional(
      Prose(2_000, 'Template; {{code}}, {{participantId}} and {{metadata.X}} are filled in, URL-encoded'),
    ),
    requireAllEvents: Type.Optional(Type.Boolean()),
    allowRepeat: Type.Optional(Type.Boolean()),
  },
  Strict,
)

/** R23a: the smallest definition is a name and one state; everything else has a default. */
export const ExperimentDefinition = Type.Object(
  {
    name: Name(200, 'What participants and researchers read'),
    description: Type.Optional(Prose(20_000, 'For researchers and the discovery page')),
    states: Type.Array(State, { minItems: 1, maxItems: 1_000 }),
    globalComponents: Type.Optional(Type.Array(GlobalComponent, { maxItems: 100 })),
    roles: Type.Optional(Type.Array(Role, { maxItems: 100 })),
    variables: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }), Type.Unknown(), {
        description: 'Name → initial value, or an object with `scope`, `initial`, `compute`',
        additionalProperties: false,
      }),
    ),
    conditions: Type.Optional(Conditions),
    blocks: Type.Optional(Type.Array(Block, { maxItems: 100 })),
    pacing: Type.Optional(Type.Union([Type.Literal('participant'), Type.Literal('room')])),
    capacity: Type.Optional(Positive('Participants in all; unlimited when absent')),
    matching: Type.Optional(Matching),
    dropout: Type.Optional(Dropout),
    consent: Type.Optional(Consent),
    completion: Type.Optional(Completion),
    metadata: Type.Optional(FreeObject('The researcher’s own notes; the platform does not read them')),
  },
  { ...Strict, description: 'An experiment, as data' },
)
export type ExperimentDefinition = Type.Static<typeof ExperimentDefinition>

/** How many people share a room. */
export const groupSizeOf = (definition: ExperimentDefinition): { min: number; max: number } => {
  const size = definition.matching?.groupSize ?? 1
  return typeof size === 'number' ? { min: size, max: size } : size
}

export const roleIdsOf = (definition: ExperimentDefinition): string[] =>
  (definition.roles ?? []).map((role) => (typeof role === 'string' ? role : role.id))
