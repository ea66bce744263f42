import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Name } from '../text.ts'
import { DefinitionId } from './state.ts'

const Strict = { additionalProperties: false }
const Size = (description: string) =>
  Type.Integer({ minimum: 1, maximum: limits.definition.groupSize, description })
const Attribute = Name(
  200,
  'Field of the join metadata; in a stage after the first, the participant variable of that name if there is one',
)
const AttributeValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

const GroupSize = Type.Union(
  [
    Type.Integer({ minimum: 1, maximum: limits.definition.groupSize, title: 'The same in every room' }),
    Type.Object(
      { min: Size('Minimum'), max: Size('Maximum') },
      { ...Strict, title: 'Between a minimum and a maximum' },
    ),
  ],
  { title: 'People per room', description: 'A number, or a minimum and maximum' },
)

const Filter = Type.Object(
  {
    attribute: Attribute,
    in: Type.Optional(
      Type.Array(AttributeValue, { minItems: 1, maxItems: 1_000, description: 'Allowed values' }),
    ),
    min: Type.Optional(Type.Number({ description: 'Minimum, for numbers' })),
    max: Type.Optional(Type.Number({ description: 'Maximum, for numbers' })),
  },
  {
    ...Strict,
    description: 'Who can take part; people who do not match, or lack the field, are screened out',
  },
)

const Exclusion = Type.Union(
  [
    Type.Literal('never_again', {
      description: 'Two people who have already shared a room in this experiment',
    }),
    Type.Object({ same: Attribute }, { ...Strict, description: 'Two people with the same value' }),
    Type.Object({ different: Attribute }, { ...Strict, description: 'Two people with different values' }),
  ],
  { description: 'Pairs of people who never share a room' },
)

const Part = Type.Object(
  {
    when: Name(
      2_000,
      'Expression that is true for the people of this part: it reads metadata.x and, in a stage after the first, participant variables',
    ),
    count: Size('People of this part in each group'),
  },
  Strict,
)

export const deadlinePolicies = ['wait', 'start_short', 'fill_with_agent', 'end_paid'] as const

/** R68 */
const ElseTo = Type.Object(
  {
    to: DefinitionId('A later stage, which they then play, or `end`'),
    outcome: Type.Optional(Name(200, 'What they end with; only with `end`; NOT_MATCHED when absent')),
  },
  { ...Strict, title: 'Go to another stage, or to the end' },
)

export const Matching = Type.Object(
  {
    groupSize: GroupSize,
    deadlineMs: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400_000, description: 'Longest wait; no deadline when absent' }),
    ),
    onDeadline: Type.Optional(
      Type.Union([Type.Enum(deadlinePolicies), ElseTo], {
        description:
          'What happens at the deadline if there are too few people: `wait`: keep waiting; `start_short`: start with those who are present; `end_paid`: end with the outcome NOT_MATCHED; `fill_with_agent`: agents with `fills` take the missing seats; `{"to": …}`: another stage, or the end; wait when absent',
      }),
    ),
    filters: Type.Optional(Type.Array(Filter, { maxItems: 50 })),
    balance: Type.Optional(
      Type.Array(Attribute, {
        maxItems: 10,
        description: 'Fields of the join metadata to balance within each group',
      }),
    ),
    compose: Type.Optional(
      Type.Array(Part, {
        minItems: 1,
        maxItems: limits.definition.partsOfGroup,
        description:
          'Whom each group consists of, such as two people of one opinion and two of another; the counts add up to groupSize',
      }),
    ),
    exclusions: Type.Optional(Type.Array(Exclusion, { maxItems: 50 })),
  },
  {
    ...Strict,
    description: 'How many people share a room and how they are matched; one person per room when absent',
  },
)
export type Matching = Type.Static<typeof Matching>

/** R68: where people go at the deadline, if it names a place. */
export const elseOf = (matching: Matching | undefined): Type.Static<typeof ElseTo> | undefined =>
  typeof matching?.onDeadline === 'object' ? matching.onDeadline : undefined
