import { type TSchema, Type } from 'typebox'
import { limits } from '../limits.ts'
import { identifierPattern } from '../name-patterns.ts'
import { RecordOf } from '../record-of.ts'
import { Name } from '../text.ts'
import { DefinitionId } from './state.ts'

const Strict = { additionalProperties: false }

/** Between the levels in the name of a cell; no level contains it. */
export const cellSeparator = '×'

const assignment = Type.Enum(['random', 'balanced', 'latin_square'], {
  description:
    'How a room gets its condition: `random` draws it, whatever the others have; `balanced`, the default, draws among the conditions that fewest people have, in proportion to their weights; `latin_square` takes the first of these in the order of `values`, so that conditions take turns',
})
const balance = Type.Enum(['opened', 'completed'], {
  title: 'Balance by',
  description:
    'Who counts when conditions and Latin squares are balanced: everybody in a room that was `opened`, except those who give back their place; or only those who have `completed`, with SUCCESS or an outcome of the definition’s own, or still may, so that whoever drops out is made up for; `opened` when absent',
})

/** By condition: one of `values`, or a cell of the factors. */
const ByCondition = <Value extends TSchema>(value: Value, description: string) =>
  RecordOf(Type.String({ minLength: 1, maxLength: 1_000 }), value, {
    maxProperties: limits.definition.conditions,
    description,
  })

export const Conditions = Type.Object(
  {
    values: Type.Optional(
      Type.Array(DefinitionId('A condition'), {
        minItems: 1,
        maxItems: limits.definition.conditions,
        description: 'The conditions by name; absent where there are `factors`',
      }),
    ),
    factors: Type.Optional(
      RecordOf(
        Type.String({ pattern: identifierPattern }),
        Type.Array(DefinitionId('A level'), { minItems: 1, maxItems: limits.definition.cells }),
        {
          minProperties: 1,
          maxProperties: 8,
          additionalProperties: false,
          description:
            'Name → levels. The conditions are the cells, all combinations of levels, written `level×level` in the order of the factors; `condition.<name>` is a participant’s level. At most 64 cells; absent where there are `values`',
        },
      ),
    ),
    weights: Type.Optional(
      ByCondition(
        Type.Number({ minimum: 0, maximum: 1_000 }),
        'Condition → its share, relative to the others; 1 for conditions that are not named, 0 for those that nobody gets',
      ),
    ),
    per: Type.Optional(
      Type.Enum(['room', 'participant'], {
        description:
          'Whether all people in a room share a condition or each `participant` gets one of their own; room when absent',
      }),
    ),
    assign: Type.Optional(assignment),
    balance: Type.Optional(balance),
    strata: Type.Optional(
      Type.Array(Name(64, 'What a link carries, or a participant variable'), {
        maxItems: 4,
        description:
          'What people are divided by before they are balanced: parameters of their link, or participant variables. Conditions are then balanced among people with the same values',
      }),
    ),
    quotas: Type.Optional(
      ByCondition(
        Type.Integer({ minimum: 0, maximum: 10_000_000 }),
        'Condition → how many people may have it at most; unlimited where it is not named. When all conditions are full, people leave with QUOTA_FULL',
      ),
    ),
    seed: Type.Optional(Name(200, 'Recorded with every assignment; the id of the experiment when absent')),
  },
  { ...Strict, description: 'Conditions and how they are assigned: either `values` or `factors`' },
)
export type Conditions = Type.Static<typeof Conditions>

/** The names of all conditions, in order: the last factor changes fastest. None where a draft has too many cells. */
export function conditionNamesOf({ conditions }: { conditions?: Conditions }): string[] {
  if (!conditions?.factors) return conditions?.values ?? []
  if (conditionCountOf(conditions) > limits.definition.cells) return []
  return Object.values(conditions.factors).reduce<string[]>(
    (cells, levels, index) =>
      index === 0
        ? [...levels]
        : cells.flatMap((cell) => levels.map((level) => `${cell}${cellSeparator}${level}`)),
    [],
  )
}

/** How many there are, without listing them. */
export const conditionCountOf = ({ factors, values = [] }: Conditions): number =>
  factors ? Object.values(factors).reduce((product, levels) => product * levels.length, 1) : values.length

/** The level of each factor in a cell; null without factors. */
export function levelsOf(
  conditions: Conditions | undefined,
  cell: string | null,
): Record<string, string> | null {
  if (!conditions?.factors || cell === null) return null
  const levels = cell.split(cellSeparator)
  return Object.fromEntries(Object.keys(conditions.factors).map((name, index) => [name, levels[index] ?? '']))
}

/** Own entries alone: a condition may be called `constructor`. */
const entryFor = (entries: Readonly<Record<string, number>> | undefined, name: string): number | undefined =>
  entries && Object.hasOwn(entries, name) ? entries[name] : undefined

export const weightOf = ({ weights }: Pick<Conditions, 'weights'>, name: string): number =>
  entryFor(weights, name) ?? 1

/** Infinity where the condition has none. */
export const quotaOf = ({ quotas }: Pick<Conditions, 'quotas'>, name: string): number =>
  entryFor(quotas, name) ?? Infinity
