import { type DropReason, dropReasonOf } from '@atrium/contract'
import type { Alike } from './asked-about.ts'
import { missingAnswer, whyUnanswerable } from './missing-answer.ts'
import { entryOf, type Seat } from './room-state.ts'
import { createShownTo } from './shown.ts'
import type { StateBlueprint } from './state-blueprint.ts'
import { record, type Turn, visitOf } from './turn.ts'
import { componentsOfState, flowOf, stateOf } from './visible-components.ts'

// R91, R92: how participants' records tell where they were last, and why answers are missing. None of it decides anything.

/** When and where they were last here: now, or when they lost their connection. */
export function lastSeen(
  turn: Turn,
  { presence, ...seat }: Seat,
  stateId: string | null = visitOf(turn, seat).stateId,
): { at: number; stateId: string | null } {
  if (presence.kind === 'connected') return { at: turn.now, stateId }
  return { at: presence.since, stateId: presence.stateId === undefined ? stateId : presence.stateId }
}

export function noteDeparture(turn: Turn, seat: Seat, reason: DropReason, stateId?: string | null): void {
  seat.departure = { ...lastSeen(turn, seat, stateId), reason }
  seat.gone = { at: turn.now, visit: turn.room.flow?.visit ?? null }
}

/** `fromState` is where they were. `endedIn` says where the room had got to without them. */
export function recordFinish(
  turn: Turn,
  seat: Seat,
  { outcome, reason, fromState }: { outcome: string; reason?: string | undefined; fromState: string | null },
): void {
  const isGone = outcome === 'ABANDONED' && seat.presence.kind === 'away'
  recordMissing(turn, seat, isGone ? 'left' : 'ended')
  const why = dropReasonOf(outcome)
  if (why) noteDeparture(turn, seat, why === 'disconnected' && !isGone ? 'left' : why, fromState)
  const places = isGone
    ? { fromState: lastSeen(turn, seat, fromState).stateId, endedIn: fromState }
    : { fromState }
  record(turn, seat, 'finished', {
    data: { outcome, ...(reason === undefined ? {} : { reason }), ...places },
  })
}

/** Whether they are done with the state, or have ended it themselves. */
function hasGoneOn(turn: Turn, seat: Seat, blueprint: StateBlueprint): boolean {
  const { end } = blueprint.state
  if (turn.actorId === seat.participantId || seat.here.ready) return true
  if (end === undefined || end.on === 'button' || end.on === 'timed') return false
  const { answers } = seat.here
  const hasAnswered = end.on === 'media_ended' ? entryOf(answers, end.componentId) : Object.keys(answers)[0]
  return hasAnswered !== undefined && missingAnswer(turn, seat, blueprint) === undefined
}

/**
 * Names what the participant has not answered in the state that they are in, when it ends for them: `left` because they were
 * not there any more, `skipped` because they went on without it, `timed_out` because it was over before they were done, `not_shown` because its condition was
 * not met, or what they have said themselves (RM244).
 */
export function recordMissing(
  turn: Turn,
  seat: Seat,
  why: 'timed_out' | 'left' | 'ended',
  alike?: Alike,
): void {
  const { stateId } = visitOf(turn, seat)
  const blueprint = stateOf(turn.blueprint, flowOf(turn.room, seat))
  if (stateId === null || !blueprint) return
  const missing = componentsOfState(seat, blueprint).filter(
    ({ component, type }) =>
      type.responds !== 'none' && entryOf(seat.here.answers, component.id) === undefined,
  )
  if (missing.length === 0) return
  const reason = why !== 'ended' ? why : hasGoneOn(turn, seat, blueprint) ? 'skipped' : 'timed_out'
  const shown = createShownTo(turn.room, turn.blueprint, seat, turn.work, alike)
  const components = missing.map((one) => {
    // RM196: about whom nothing was answered.
    const targets = one.isForEach ? shown.askedAbout(one) : []
    return {
      componentId: one.component.id,
      reason: shown.has(one) ? (whyUnanswerable(seat, one) ?? reason) : 'not_shown',
      ...(targets.length > 0 && { targets }),
    }
  })
  record(turn, seat, 'answers_missing', { stateId, data: { components } })
}
