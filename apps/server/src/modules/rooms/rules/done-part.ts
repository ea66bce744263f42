import type { Alike } from '../model/asked-about.ts'
import type { ComponentBlueprint } from '../model/component-blueprint.ts'
import { isAnswered, missingAnswer } from '../model/missing-answer.ts'
import { type FlowState, isActive, isOpen, type Seat } from '../model/room-state.ts'
import { createShownTo } from '../model/shown.ts'
import type { StateBlueprint } from '../model/state-blueprint.ts'
import type { Turn } from '../model/turn.ts'
import { componentsOfState, seesState } from '../model/visible-components.ts'
import type { Unit } from './units.ts'

/** What ended a state: the participants (directly or through a condition), only its deadline, or a time limit. */
export type Ending = NonNullable<FlowState['leaving']>

/** RM96: who had not done their part in a state of theirs when it ended, and was away, has missed it. */
export function noteAbsences(
  turn: Turn,
  { seats }: Pick<Unit, 'seats'>,
  blueprint: StateBlueprint,
  ending: Ending,
  alike?: Alike,
): void {
  for (const seat of seats)
    if (seat.hasMissed === false && isOpen(seat) && isAbsent(seat) && seesState(seat, blueprint))
      seat.hasMissed = !hasDonePart(turn, seat, blueprint, ending, alike)
}

/** Connections that the server lost itself count as there until the grace period is over. */
export const isAbsent = ({ presence, status }: Seat): boolean =>
  presence.kind === 'away' && (status === 'dropped' || !presence.isServersFault)

/** Whether a participant who is away has done what the state asks of them. */
export function hasDonePart(
  turn: Turn,
  seat: Seat,
  blueprint: StateBlueprint,
  ending: Ending,
  alike?: Alike,
): boolean {
  const { end } = blueprint.state
  if (end === undefined || end.on === 'button') return seat.here.ready
  if (missingAnswer(turn, seat, blueprint, alike)) return false
  const seen = componentsOfState(seat, blueprint)
  const media = end.on === 'media_ended' && seen.find(({ component }) => component.id === end.componentId)
  if (media && isShownTo(turn, seat, media) && !isAnswered(seat, media)) return false
  // It asks for the time as well: a participant who stays away past the grace period has not given it.
  if (end.on === 'timed' && !isActive(seat)) return false
  return ending === 'people' || seen.some(({ isRequired }) => isRequired)
}

export const isShownTo = (
  { room, blueprint, work }: Turn,
  seat: Seat,
  component: ComponentBlueprint,
): boolean => createShownTo(room, blueprint, seat, work).has(component)
