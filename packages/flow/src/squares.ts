import type { ExperimentDefinition } from '@atrium/contract'
import { blockUnitsIn, memberName, type Unit } from './nesting.ts'
import { unitsOf } from './plan.ts'
import { latinSquareRows } from './random.ts'
import { trialRowsOf, trialsFactor } from './trials.ts'

/** What is balanced: the condition, or the rows of a block's Latin square. */
export interface Factor {
  /** Null for the condition. */
  blockId: string | null
  /** As they are written in a cell: conditions by their name, rows as `block#row`. No id contains `#` or `×`. */
  levels: readonly string[]
}

/** A Latin square: over the states of a block, or over the rows of its trials. */
export interface Square {
  /** As a factor: the id of the block, or what `trialsFactor` makes of it. */
  id: string
  /** What it puts in order. */
  items: readonly (string | number)[]
}

/** F14, F83: every Latin square of a definition, in the order of the path. */
export function squaresOf(
  definition: ExperimentDefinition,
  units: readonly Unit[] = unitsOf(definition),
): Square[] {
  const blocks = blockUnitsIn(units)
  const hasLatinTrials = blocks.some(({ block }) => block?.trials?.order === 'latin_square')
  const rows = hasLatinTrials ? trialRowsOf(definition) : undefined
  return blocks.flatMap(({ block, members }): Square[] => [
    ...(block?.order === 'latin_square' ? [{ id: block.id, items: members.map(memberName) }] : []),
    ...(block?.trials?.order === 'latin_square'
      ? [{ id: trialsFactor(block.id), items: rows?.get(block.id) ?? [] }]
      : []),
  ])
}

/** Nothing is to be assigned where there is only one order. */
export function factorsOf(squares: readonly Square[]): Factor[] {
  return squares.flatMap(({ id, items }) => {
    const rows = latinSquareRows(items.length)
    if (rows < 2) return []
    return [{ blockId: id, levels: Array.from({ length: rows }, (_, row) => `${id}#${row}`) }]
  })
}
