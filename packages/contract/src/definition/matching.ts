import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Name } from '../text.ts'

const Strict = { additionalProperties: false }
const Size = (description: string) =>
  Type.Integer({ minimum: 1, maximum: limits.definition.groupSize, description })
const Attribute = Name(200, 'Field of the join metadata')
const AttributeValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

const GroupSize = Type.Union(
  [Size('People in a room'), Type.Object({ min: Size('At least'), max: Size('At most') }, Strict)],
  { description: 'People in a room: a number, or the least and the most' },
)

const Filter = Type.Object(
  {
    attribute: Attribute,
    in: Type.Optional(
      Type.Array(AttributeValue, { minItems: 1, maxItems: 1_000, description: 'One of these' }),
    ),
    min: Type.Optional(Type.Number({ description: 'A number of at least this' })),
    max: Type.Optional(Type.Number({ description: 'A number of at most this' })),
  },
  { ...Strict, description: 'Who takes part; whoever does not fit, or does not say, is screened out' },
)

const Exclusion = Type.Union(
  [
    Type.Literal('never_again', { description: 'Two people who have shared a room of this experiment' }),
    Type.Object({ same: Attribute }, { ...Strict, description: 'Two people with the same value' }),
    Type.Object({ different: Attribute }, { ...Strict, description: 'Two people with different values' }),
  ],
  { description: 'Who never shares a room' },
)

export const deadlinePolicies = ['wait', 'start_short', 'fill_with_agent', 'end_paid'] as const

export const Matching = Type.Object(
  {
    groupSize: GroupSize,
    deadlineMs: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400_000, description: 'Longest wait; no deadline when absent' }),
    ),
    onDeadline: Type.Optional(
      Type.Enum(deadlinePolicies, {
        description:
          'What happens to those who still wait at the deadline and are too few: `wait` on (when absent), `start_short` with those who are there, or `end_paid` with the code of the outcome NOT_MATCHED; `fill_with_agent` is refused until there are agents',
      }),
    ),
    filters: Type.Optional(Type.Array(Filter, { maxItems: 50 })),
    balance: Type.Optional(
      Type.Array(Attribute, {
        maxItems: 10,
        description: 'Fields of the join metadata to mix within each group',
      }),
    ),
    exclusions: Type.Optional(Type.Array(Exclusion, { maxItems: 50 })),
  },
  {
    ...Strict,
    description:
      'How many people share a room and how they are brought together; one person a room when absent',
  },
)
export type Matching = Type.Static<typeof Matching>
