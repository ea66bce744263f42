import {
  type Conditions,
  cellSeparator,
  conditionCountOf,
  conditionNamesOf,
  type ExperimentDefinition,
  groupSizeOf,
  limits,
  type ValidationIssue,
  weightOf,
} from '@atrium/contract'
import type { Suggest } from '@atrium/contract/components'
import { hasOwnConditions } from '@atrium/flow'
import { strataIssues } from './check-strata.ts'
import type { DeclaredNames } from './definition-names.ts'
import { finding, pointer } from './findings.ts'

/** F25, F70: what would leave people without a condition, or name one that there is not. */
export function checkConditions(
  definition: ExperimentDefinition,
  declared: DeclaredNames,
): ValidationIssue[] {
  const { conditions } = definition
  if (!conditions) return []
  const shape = shapeIssues(conditions)
  if (shape.length > 0) return shape
  return [
    ...repeatedValues(conditions),
    ...repeatedLevels(conditions),
    ...unknownConditions(conditions, declared.suggest),
    ...withoutShare(conditions),
    ...quotasWithoutRoom(definition, conditions),
    ...strataIssues(definition, declared),
  ]
}

/** Then nothing else can be said about them. */
function shapeIssues(conditions: Conditions): ValidationIssue[] {
  const { values, factors } = conditions
  if (values && factors)
    return [
      finding(
        pointer('conditions', 'values'),
        'conditions have either values or factors; with factors, every combination of levels is a condition, so leave out values',
      ),
    ]
  if (!values && !factors)
    return [
      finding(
        pointer('conditions'),
        'write values, such as ["low", "high"], or factors, such as {"frame": ["gain", "loss"]}',
      ),
    ]
  const cells = conditionCountOf(conditions)
  if (!factors || cells <= limits.definition.cells) return []
  const product = Object.values(factors).map((levels) => levels.length)
  return [
    finding(
      pointer('conditions', 'factors'),
      `these factors have ${product.join(' × ')} = ${cells} cells; a study has at most ${limits.definition.cells}. Vary the rest within participants, with blocks in random order`,
    ),
  ]
}

function repeatedValues({ values = [] }: Conditions): ValidationIssue[] {
  return repetitions(values, 'condition', (index) => pointer('conditions', 'values', index))
}

const repeatedLevels = ({ factors = {} }: Conditions): ValidationIssue[] =>
  Object.entries(factors).flatMap(([name, levels]) =>
    repetitions(levels, 'level', (index) => pointer('conditions', 'factors', name, index)),
  )

function repetitions(
  names: readonly string[],
  what: string,
  pathOf: (index: number) => string,
): ValidationIssue[] {
  const seen = new Set<string>()
  return names.flatMap((name, index) => {
    if (seen.has(name)) return [finding(pathOf(index), `duplicate ${what} ‘${name}’`)]
    seen.add(name)
    return []
  })
}

function unknownConditions(conditions: Conditions, suggest: Suggest): ValidationIssue[] {
  const names = new Set(conditionNamesOf({ conditions }))
  const [first = ''] = names
  const what = conditions.factors ? 'cell' : 'condition'
  return (['weights', 'quotas'] as const).flatMap((setting) =>
    Object.keys(conditions[setting] ?? {}).flatMap((name) => {
      if (names.has(name)) return []
      const near = nearestCell(name, names) ?? suggest(name, names)
      const hint = near === undefined ? `; they are written as in ‘${first}’` : `; did you mean ‘${near}’?`
      return [finding(pointer('conditions', setting, name), `${what} ‘${name}’ does not exist${hint}`)]
    }),
  )
}

/** The levels in another order, or with a letter between them that is easier to type. */
function nearestCell(written: string, names: ReadonlySet<string>): string | undefined {
  const levels = written.split(/\s*[×*,/]\s*|\s+x\s+/u).toSorted()
  return [...names].find((name) => `${name.split(cellSeparator).toSorted()}` === `${levels}`)
}

function withoutShare(conditions: Conditions): ValidationIssue[] {
  const names = conditionNamesOf({ conditions })
  if (names.some((name) => weightOf(conditions, name) > 0)) return []
  return [
    finding(
      pointer('conditions', 'weights'),
      'every condition has the weight 0, so nobody would get one; give at least one of them a weight above 0',
    ),
  ]
}

/** A quota below the number of people who share a condition lets nobody in; to close a condition, the quota is 0. */
function quotasWithoutRoom(definition: ExperimentDefinition, conditions: Conditions): ValidationIssue[] {
  const needed = hasOwnConditions(definition) ? 1 : groupSizeOf(definition).min
  return Object.entries(conditions.quotas ?? {}).flatMap(([name, quota]) =>
    quota > 0 && quota < needed
      ? [
          finding(
            pointer('conditions', 'quotas', name),
            `a quota counts people, and a room has at least ${needed}, so none would ever get this condition; write ${needed} or more, or 0 to close it`,
          ),
        ]
      : [],
  )
}
