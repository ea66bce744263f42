import { type ExperimentDefinition, endOfExperiment } from '@atrium/contract'
import { blocksAround, blocksEntered, positionAfterBlock, type Step } from '@atrium/flow'
import type { FlowState, Seat, TimeLimits } from './room-state.ts'

type TimeLimit = NonNullable<ExperimentDefinition['timeLimit']>

/** F87: how long the study and its blocks may take. */
export interface LimitsBlueprint {
  study: TimeLimit | null
  /** Whether a state has a time for each participant. */
  hasOwnTimes: boolean
  ofBlock(blockId: string): TimeLimit | null
}

export function compileLimits({ states, blocks = [], timeLimit }: ExperimentDefinition): LimitsBlueprint {
  const byBlock = new Map(blocks.map((block) => [block.id, block.timeLimit ?? null]))
  return {
    study: timeLimit ?? null,
    hasOwnTimes: states.some(({ end }) => end && 'perPersonMs' in end && end.perPersonMs !== undefined),
    ofBlock: (blockId) => byBlock.get(blockId) ?? null,
  }
}

/** RM218: the limits that apply at a position that is about to be entered. `from` is the step before; absent at the beginning. */
export function limitsAt(
  blueprint: LimitsBlueprint,
  { flow, from, now }: { flow: FlowState; from: Step | undefined; now: number },
): TimeLimits | undefined {
  const { steps, position, limits } = flow
  const study = flow.visit === 0 ? beginning(blueprint.study, steps, now) : limits?.study
  const entered = blocksEntered(from, steps[position])
  const blocks = blocksAround(steps[position]).flatMap(({ blockId }) => {
    const ofBlock = blueprint.ofBlock(blockId)
    const at = entered.includes(blockId) ? ofBlock && now + ofBlock.afterMs : limits?.blocks?.[blockId]
    return typeof at === 'number' ? [[blockId, at] as const] : []
  })
  const isPast = study !== undefined && position >= study.before
  if ((study === undefined || isPast) && blocks.length === 0) return undefined
  return {
    ...(study && !isPast && { study }),
    ...(blocks.length > 0 && { blocks: Object.fromEntries(blocks) }),
  }
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

interface End {
  at: number
  /** Whether pages do not count down to it. */
  isHidden: boolean
}

const isHiddenLimit = (limit: TimeLimit | null): boolean => limit?.show === false

/** The limits of the blocks around a state, from the outermost. */
function endsOfBlocks({ steps, position, limits }: FlowState): { blockId: string; at: number }[] {
  const ofBlocks = limits?.blocks
  if (!ofBlocks) return []
  return blocksAround(steps[position]).flatMap(({ blockId }) => {
    const at = ofBlocks[blockId]
    return typeof at === 'number' ? [{ blockId, at }] : []
  })
}

/** F183: of the limits of the blocks around a state, the one that is over first; of those that are over at once, the outermost. */
const nearestOf = (flow: FlowState): { blockId: string; at: number } | undefined =>
  endsOfBlocks(flow).toSorted((one, other) => one.at - other.at)[0]

/** When the visit is over at the latest: at the deadline of the state, or at a time limit. */
export function latestEndOf(flow: FlowState): number | null {
  // Once it is over, only conditions are to be assigned.
  if (flow.leaving) return null
  return earliest([flow.deadlineAt, flow.limits?.study?.at, nearestOf(flow)?.at])
}

/** RM222: the same for one participant, whose own time may be over before. */
export function latestEndFor({ here }: Seat, flow: FlowState): number | null {
  return flow.leaving ? null : earliest([here.until, latestEndOf(flow)])
}

const earliest = (moments: readonly (number | null | undefined)[]): number | null => {
  const known = moments.filter((at) => typeof at === 'number')
  return known.length === 0 ? null : Math.min(...known)
}

/** RM218: of everything that may end the visit for a participant, pages count down to what comes first and is not hidden. */
export function shownEndFor(
  blueprint: LimitsBlueprint,
  seat: Seat,
  flow: FlowState,
): { hidesDeadline?: true; shownDeadlineAt?: number } {
  const latest = latestEndFor(seat, flow)
  if (latest === null) return {}
  const { study } = flow.limits ?? {}
  const ends: End[] = [
    ...[flow.deadlineAt, seat.here.until].flatMap((at) =>
      typeof at === 'number' ? [{ at, isHidden: false }] : [],
    ),
    ...(study ? [{ at: study.at, isHidden: isHiddenLimit(blueprint.study) }] : []),
    ...endsOfBlocks(flow).map(({ blockId, at }) => ({
      at,
      isHidden: isHiddenLimit(blueprint.ofBlock(blockId)),
    })),
  ]
  const shown = earliest(ends.flatMap(({ at, isHidden }) => (isHidden ? [] : [at])))
  if (shown === latest) return {}
  return { hidesDeadline: true, ...(shown !== null && { shownDeadlineAt: shown }) }
}

export const isOverLimit = ({ limits }: FlowState, now: number): boolean =>
  limits !== undefined &&
  [limits.study?.at, ...Object.values(limits.blocks ?? {})].some((at) => at !== undefined && at <= now)

/** RM219: where a limit that is over leads, and whose it is: that of the study before that of a block, which was over first. */
export function whereLimitLeads(
  blueprint: LimitsBlueprint,
  flow: FlowState,
  now: number,
): { to: number; outcome: string | null; block: string | null } {
  const { steps, position, limits } = flow
  if (limits?.study && limits.study.at <= now) {
    const outcome = blueprint.study?.onTimeout?.outcome ?? null
    return { to: limits.study.before, outcome, block: null }
  }
  const block = nearestOf(flow)?.blockId ?? null
  const limit = block === null ? null : blueprint.ofBlock(block)
  const target = limit && targetOf(limit)
  const after = positionAfterBlock(steps, position, block)
  const ahead =
    target === null ? after : steps.findIndex(({ stateId }, at) => at >= after && stateId === target)
  return {
    to: ahead < 0 ? steps.length : ahead,
    outcome: limit?.onTimeout?.outcome ?? null,
    block,
  }
}

/** Moved by the length of a pause. */
export const movedLimits = ({ limits }: FlowState, byMs: number): { limits?: TimeLimits } =>
  limits
    ? {
        limits: {
          ...(limits.study && { study: { ...limits.study, at: limits.study.at + byMs } }),
          ...(limits.blocks && {
            blocks: Object.fromEntries(Object.entries(limits.blocks).map(([id, at]) => [id, at + byMs])),
          }),
        },
      }
    : {}
