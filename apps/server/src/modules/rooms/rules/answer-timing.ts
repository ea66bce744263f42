import type { AnswerParadata, ClockReport } from '@atrium/contract'
import { isImplausibleTime } from '../../events/index.ts'
import type { FlowState } from '../model/room-state.ts'
import type { RecordedMoment } from '../model/turn.ts'

interface TimedAction {
  clientTime?: number
  clock?: ClockReport
  /** The visit that the page showed. */
  visit?: number
}

/** RM165: undefined where the page did not say when. */
export function momentOf(
  { clientTime, clock, visit }: TimedAction,
  flow: FlowState,
): RecordedMoment | undefined {
  if (clientTime === undefined) return undefined
  return {
    clientTime,
    ...(visit === flow.visit && { seenAt: flow.enteredAt }),
    ...(clock && { reported: clock }),
  }
}

/** A page that claims to know nothing of the time must not be believed everything. */
const maxErrorMs = 60_000

interface AnswerTiming {
  responseTime?: number
  firstInteractionMs?: number
  changes?: number
  paradata?: AnswerParadata
}

/** As sent: what cannot be true is flagged, never changed. */
export function timingIn(action: AnswerTiming): AnswerTiming {
  const { responseTime, firstInteractionMs, changes, paradata } = action
  return {
    ...(responseTime === undefined ? {} : { responseTime }),
    ...(firstInteractionMs === undefined ? {} : { firstInteractionMs }),
    ...(changes === undefined ? {} : { changes }),
    ...(paradata === undefined ? {} : { paradata }),
  }
}

/** RM166: nobody sees a component before its state is entered. */
export function flagsOfTiming(
  timing: AnswerTiming & TimedAction,
  elapsedMs: number,
): { flags?: ['implausible_time'] } {
  return isImplausibleTime(timing, elapsedMs + Math.min(timing.clock?.errorMs ?? 0, maxErrorMs))
    ? { flags: ['implausible_time'] }
    : {}
}
