import { evaluate, isTruthy } from '@atrium/expressions'
import { positionAfterBlock, type Step } from '@atrium/flow'
import type { Turn } from '../model/turn.ts'
import { scopeFor } from '../model/variables.ts'
import type { Unit } from './units.ts'

/** RM211: where a unit goes from a row: on, or past the block once `until` is true. */
export function positionAfterRow(turn: Turn, { seats, flow }: Unit, position: number): number {
  const step = flow.steps[flow.position]
  if (!step?.trial || step.blockId === null || isInSameRow(step, flow.steps[position])) return position
  const until = turn.blueprint.trials.untilOf(step.blockId)
  const after = positionAfterBlock(flow.steps, flow.position)
  // Where it leads elsewhere anyway, or back, it is not asked.
  if (!until || position <= flow.position || position >= after) return position
  const seat = seats.length === 1 ? (seats[0] ?? null) : null
  const scope = scopeFor(turn.room, turn.blueprint, { seat, flow, work: turn.work, now: turn.now })
  return isTruthy(evaluate(until, scope, turn.work)) ? after : position
}

const isInSameRow = (one: Step, other: Step | undefined): boolean =>
  one.blockId === other?.blockId && one.round === other?.round && one.trial?.index === other?.trial?.index
