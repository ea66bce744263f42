import { type ExperimentDefinition, endOfExperiment } from '@atrium/contract'
import { positionAfterBlock, type Step } from '@atrium/flow'
import type { FlowState, Seat, TimeLimits } from './room-state.ts'

type TimeLimit = NonNullable<ExperimentDefinition['timeLimit']>

/** F87: how long the study and its blocks may take. */
export interface LimitsBlueprint {
  study: TimeLimit | null
  /** Whether a state has a time for each participant. */
  hasOwnTimes: boolean
  ofBlock(blockId: string | null | undefined): TimeLimit | null
}

export function compileLimits({ states, blocks = [], timeLimit }: ExperimentDefinition): LimitsBlueprint {
  const byBlock = new Map(blocks.map((block) => [block.id, block.timeLimit ?? null]))
  return {
    study: timeLimit ?? null,
    hasOwnTimes: states.some(({ end }) => end && 'perPersonMs' in end && end.perPersonMs !== undefined),
    ofBlock: (blockId) => byBlock.get(blockId ?? '') ?? null,
  }
}

/** RM218: the limits that apply at a position that is about to be entered. `from` is the step before; absent at the beginning. */
export function limitsAt(
  blueprint: LimitsBlueprint,
  { flow, from, now }: { flow: FlowState; from: Step | undefined; now: number },
): TimeLimits | undefined {
  const { steps, position, limits } = flow
  const study = flow.visit === 0 ? beginning(blueprint.study, steps, now) : limits?.study
  const blockId = steps[position]?.blockId ?? null
  const ofBlock = blueprint.ofBlock(blockId)
  const isStill = from !== undefined && from.blockId === blockId
  const block = isStill ? limits?.block : ofBlock ? now + ofBlock.afterMs : undefined
  const isPast = study !== undefined && position >= study.before
  if ((study === undefined || isPast) && block === undefined) return undefined
  return { ...(study && !isPast && { study }), ...(block !== undefined && { block }) }
}

function beginning(limit: TimeLimit | null, steps: readonly Step[], now: number): TimeLimits['study'] {
  if (!limit) return undefined
  const to = targetOf(limit) ?? endOfExperiment
  const before = to === endOfExperiment ? -1 : steps.findIndex(({ stateId }) => stateId === to)
  return { at: now + limit.afterMs, before: before < 0 ? steps.length : before }
}

/** Null where the limit says nothing: a block then goes on with what follows it. */
const targetOf = ({ onTimeout }: TimeLimit): string | null =>
  onTimeout ? (onTimeout.to ?? endOfExperiment) : null

/** When the visit is over at the latest: at the deadline of the state, or at a time limit. */
export function latestEndOf(flow: FlowState): number | null {
  // Once it is over, only conditions are to be assigned.
  if (flow.leaving) return null
  const { study, block } = flow.limits ?? {}
  const moments = [flow.deadlineAt, study?.at, block].filter((at) => typeof at === 'number')
  return moments.length === 0 ? null : Math.min(...moments)
}

/** RM222: the same for one participant, whose own time may be over before. */
export function latestEndFor({ here }: Seat, flow: FlowState): number | null {
  const latest = latestEndOf(flow)
  return here.until === undefined || flow.leaving ? latest : Math.min(here.until, latest ?? here.until)
}

/** Whether pages do not count down to it. */
export function hidesLatestEnd(blueprint: LimitsBlueprint, { here }: Seat, flow: FlowState): boolean {
  const { study, block } = flow.limits ?? {}
  if (flow.deadlineAt !== null || here.until !== undefined || !flow.limits) return false
  const isOfStudy = study !== undefined && study.at <= (block ?? Number.POSITIVE_INFINITY)
  const next = isOfStudy ? blueprint.study : blueprint.ofBlock(flow.steps[flow.position]?.blockId)
  return next?.show === false
}

export const isOverLimit = ({ limits }: FlowState, now: number): boolean =>
  limits !== undefined &&
  ((limits.study?.at ?? Number.POSITIVE_INFINITY) <= now || (limits.block ?? Number.POSITIVE_INFINITY) <= now)

/** RM219: where a limit that is over leads, and whose it is: that of the study before that of a block. */
export function whereLimitLeads(
  blueprint: LimitsBlueprint,
  { steps, position, limits }: FlowState,
  now: number,
): { to: number; outcome: string | null; block: string | null } {
  const step = steps[position]
  if (limits?.study && limits.study.at <= now) {
    const outcome = blueprint.study?.onTimeout?.outcome ?? null
    return { to: limits.study.before, outcome, block: null }
  }
  const limit = blueprint.ofBlock(step?.blockId)
  const target = limit && targetOf(limit)
  const after = positionAfterBlock(steps, position)
  const ahead =
    target === null ? after : steps.findIndex(({ stateId }, at) => at >= after && stateId === target)
  return {
    to: ahead < 0 ? steps.length : ahead,
    outcome: limit?.onTimeout?.outcome ?? null,
    block: step?.blockId ?? null,
  }
}

/** Moved by the length of a pause. */
export const movedLimits = ({ limits }: FlowState, byMs: number): { limits?: TimeLimits } =>
  limits
    ? {
        limits: {
          ...(limits.study && { study: { ...limits.study, at: limits.study.at + byMs } }),
          ...(limits.block !== undefined && { block: limits.block + byMs }),
        },
      }
    : {}
