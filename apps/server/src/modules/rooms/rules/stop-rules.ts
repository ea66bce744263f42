import { type Expression, evaluate, isTruthy } from '@atrium/expressions'
import { blocksAround, blocksEntered, positionAfterBlock, type RoundOfBlock, type Step } from '@atrium/flow'
import type { Turn } from '../model/turn.ts'
import { scopeFor } from '../model/variables.ts'
import { onlySeat, type Unit } from './units.ts'

/**
 * RM211, RM243: where a unit goes from a row or a round: on, or past the block once a rule that stops it is true. Of blocks in each other,
 * the inner one is asked first: where it ends, a round of the one around it may be over as well.
 */
export function positionByStopRules(turn: Turn, unit: Unit, position: number): number {
  const { steps, position: from } = unit.flow
  const step = steps[from]
  if (!step || position <= from) return position
  return blocksAround(step).reduceRight((at, block) => {
    const after = positionAfterBlock(steps, from, block.blockId)
    // Where it leads elsewhere anyway, it is not asked.
    if (at >= after) return at
    const rules = rulesOf(turn, { step, block, next: steps[at] })
    return rules.some((rule) => isTrue(turn, unit, { rule, round: block.round })) ? after : at
  }, position)
}

/** Those of one of the blocks around a step, for whoever goes on from it to another step of that block. */
function rulesOf(
  { blueprint: { trials, blocks } }: Turn,
  { step, block, next }: { step: Step; block: RoundOfBlock; next: Step | undefined },
): Expression[] {
  const { blockId, round } = block
  const isOverRow = step.trial !== undefined && blockId === step.blockId && !isInSameRow(step, next)
  const isOverRound = blocksAround(next).find((one) => one.blockId === blockId)?.round !== round
  return [isOverRow ? trials.untilOf(blockId) : null, isOverRound ? blocks.untilOf(blockId) : null].filter(
    (rule) => rule !== null,
  )
}

function isTrue(
  { room, blueprint, work, now }: Turn,
  { seats, flow }: Unit,
  { rule, round }: { rule: Expression; round: number },
): boolean {
  const seat = onlySeat(seats)
  return isTruthy(evaluate(rule, scopeFor(room, blueprint, { seat, flow, work, now, round }), work))
}

const isInSameRow = (one: Step, other: Step | undefined): boolean =>
  blocksEntered(one, other).length === 0 &&
  one.blockId === other?.blockId &&
  one.round === other?.round &&
  one.trial?.index === other?.trial?.index
