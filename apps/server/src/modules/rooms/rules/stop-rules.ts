import { evaluate, isTruthy } from '@atrium/expressions'
import { positionAfterBlock, type Step } from '@atrium/flow'
import type { Turn } from '../model/turn.ts'
import { scopeFor } from '../model/variables.ts'
import type { Unit } from './units.ts'

/** RM211, RM243: where a unit goes from a row or a round: on, or past the block once a rule that stops it is true. */
export function positionByStopRules(turn: Turn, { seats, flow }: Unit, position: number): number {
  const step = flow.steps[flow.position]
  if (!step || step.blockId === null) return position
  const after = positionAfterBlock(flow.steps, flow.position)
  // Where it leads elsewhere anyway, or back, it is not asked.
  if (position <= flow.position || position >= after) return position
  const { trials, blocks } = turn.blueprint
  const next = flow.steps[position]
  const rules = [
    step.trial && !isInSameRow(step, next) ? trials.untilOf(step.blockId) : null,
    step.round === next?.round ? null : blocks.untilOf(step.blockId),
  ].filter((rule) => rule !== null)
  if (rules.length === 0) return position
  const seat = seats.length === 1 ? (seats[0] ?? null) : null
  const scope = scopeFor(turn.room, turn.blueprint, { seat, flow, work: turn.work, now: turn.now })
  return rules.some((rule) => isTruthy(evaluate(rule, scope, turn.work))) ? after : position
}

const isInSameRow = (one: Step, other: Step | undefined): boolean =>
  one.blockId === other?.blockId && one.round === other?.round && one.trial?.index === other?.trial?.index
