import { createHash } from 'node:crypto'
import type { ExperimentDefinition } from '@atrium/contract'
import { unitsOf } from './plan.ts'
import { latinSquareRows } from './random.ts'

type Conditions = NonNullable<ExperimentDefinition['conditions']>

/** What is balanced: the condition, or the rows of a block's Latin square. */
export interface Factor {
  /** Null for the condition. */
  blockId: string | null
  /** As they are written in a cell: conditions by their value, rows as `block#row`. No id contains `#` or `×`. */
  levels: readonly string[]
}

/** What a definition leaves to be assigned, and what is balanced with what. */
export interface Design {
  /** The same for all revisions that assign the same: what they have assigned counts together. */
  id: string
  conditions: Conditions | undefined
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

/** Null when nothing is to be assigned. */
export function designOf(definition: ExperimentDefinition): Design | null {
  const { conditions } = definition
  const units = unitsOf(definition)
  const squares = units.flatMap(({ block, stateIds }): Factor[] => {
    const rows = latinSquareRows(stateIds.length)
    if (block?.order !== 'latin_square' || rows < 2) return []
    const levels = Array.from({ length: rows }, (_, row) => `${block.id}#${row}`)
    return [{ blockId: block.id, levels }]
  })
  const factors = [...(conditions ? [{ blockId: null, levels: conditions.values }] : []), ...squares]
  if (factors.length === 0) return null
  const orders = units.flatMap(({ block, stateIds }) =>
    block?.order === 'latin_square' ? [[block.id, ...stateIds]] : [],
  )
  return {
    id: hashOf([conditions?.values, conditions?.assign, orders]),
    conditions,
    factors,
    groups: groupsOf(factors),
    cells: cellsOf(factors),
  }
}

const cellsOf = (factors: readonly Factor[]): number =>
  factors.reduce((product, { levels }) => product * levels.length, 1)

/**
 * Where all together are too many, each order is balanced within the conditions, as long as these combinations are not too
 * many in all; further orders are balanced by themselves. So no design has more counts than this and its levels.
 */
function groupsOf(factors: readonly Factor[]): Factor[][] {
  if (cellsOf(factors) <= maxJointCells) return [[...factors]]
  const condition = factors.filter(({ blockId }) => blockId === null)
  const squares = factors.filter(({ blockId }) => blockId !== null)
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
