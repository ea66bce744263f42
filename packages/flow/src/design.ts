import { createHash } from 'node:crypto'
import {
  type Conditions,
  conditionNamesOf,
  type ExperimentDefinition,
  groupSizeOf,
  variableOf,
} from '@atrium/contract'
import { pacingOf, unitsOf } from './plan.ts'
import { type Factor, factorsOf, squaresOf } from './squares.ts'

/** F69: the strata that are participant variables, which have their values only in the course of the study. */
export const strataVariablesOf = ({
  conditions,
  variables = {},
}: Pick<ExperimentDefinition, 'conditions' | 'variables'>): string[] =>
  (conditions?.strata ?? []).filter(
    (name) => Object.hasOwn(variables, name) && variableOf(variables[name]).scope === 'participant',
  )

/** What a definition leaves to be assigned, and what is balanced with what. */
export interface Design {
  /** The same for all revisions that assign the same: what they have assigned counts together. */
  id: string
  conditions: Conditions | undefined
  /** F67: each person in a group has a condition of their own. */
  hasOwnConditions: boolean
  /** F69: conditions are assigned in the course of the study, to one person after another. */
  isLate: boolean
  /** F42: each person in a group has orders of their own. */
  hasOwnOrders: boolean
  factors: readonly Factor[]
  /** Each is balanced within the combinations of those before it in its group, and independent of those outside. */
  groups: readonly (readonly Factor[])[]
  /** Number of combinations of all levels. */
  cells: number
}

/**
 * Up to this many combinations are balanced jointly: more than nearly any study has participants, and as many counts are
 * read whenever a room begins, while other rooms of the study wait.
 */
export const maxJointCells = 1_000

/** F67: whether people in a group have conditions of their own; somebody alone has the condition of their room. */
export const hasOwnConditions = (definition: ExperimentDefinition): boolean =>
  definition.conditions?.per === 'participant' && groupSizeOf(definition).max > 1

/** Null when nothing is to be assigned. */
export function designOf(definition: ExperimentDefinition): Design | null {
  const { conditions } = definition
  const units = unitsOf(definition)
  const squares = squaresOf(definition, units)
  const names = conditionNamesOf(definition)
  const factors = [...(conditions ? [{ blockId: null, levels: names }] : []), ...factorsOf(squares)]
  if (factors.length === 0) return null
  const isGroup = groupSizeOf(definition).max > 1
  const isOwn = hasOwnConditions(definition)
  const hasOwnOrders = isGroup && pacingOf(definition) === 'participant'
  const strata = conditions?.strata ?? []
  const isLate = strataVariablesOf(definition).length > 0
  const orders = squares.map(({ id, items }) => [id, ...items])
  return {
    // What does not change which cells there are (weights, quotas) is not part of it.
    id: hashOf([
      conditions?.factors ? names : conditions?.values,
      conditions?.assign,
      orders,
      ...(strata.length > 0 ? [strata] : []),
    ]),
    conditions,
    hasOwnConditions: isOwn,
    isLate,
    hasOwnOrders,
    factors,
    groups: groupsOf(factors, { isJoint: !isLate && (!isOwn || hasOwnOrders) }),
    cells: cellsOf(factors),
  }
}

const cellsOf = (factors: readonly Factor[]): number =>
  factors.reduce((product, { levels }) => product * levels.length, 1)

/**
 * Conditions of people and orders of rooms are balanced apart, because they are assigned to different things; so is what is assigned
 * at different times. Where all together are too many, each order is balanced within the conditions, as long as these combinations
 * are not too many in all; further orders are balanced by themselves. So no design has more counts than this and its levels.
 */
function groupsOf(factors: readonly Factor[], { isJoint }: { isJoint: boolean }): Factor[][] {
  const condition = factors.filter(({ blockId }) => blockId === null)
  const squares = factors.filter(({ blockId }) => blockId !== null)
  if (!isJoint && squares.length > 0) return [condition, ...groupsOf(squares, { isJoint: true })]
  if (cellsOf(factors) <= maxJointCells) return [[...factors]]
  let left = maxJointCells
  const groups = squares.map((square) => {
    const cells = cellsOf([...condition, square])
    if (cells > left) return [square]
    left -= cells
    return [...condition, square]
  })
  return condition.length > 0 ? [condition, ...groups] : groups
}

const hashOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16)
