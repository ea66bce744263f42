import { recordMissing } from '../model/attrition.ts'
import { isActive, isOpen, type Seat } from '../model/room-state.ts'
import type { StateBlueprint } from '../model/state-blueprint.ts'
import { createRoomTexts } from '../model/texts-in-room.ts'
import { emitToSeat, record, type Turn } from '../model/turn.ts'
import { pageFor } from '../model/view.ts'
import { flowOf, seesState, stateOf } from '../model/visible-components.ts'

const ownTimeIn = ({ state }: StateBlueprint): number | undefined =>
  state.end && 'perPersonMs' in state.end ? state.end.perPersonMs : undefined

/** RM222: the time of a participant begins when they are first there, and never again in the same visit. */
export function beginOwnTime({ room, now }: Turn, seat: Seat, blueprint: StateBlueprint): void {
  const ms = ownTimeIn(blueprint)
  if (ms === undefined || seat.here.until !== undefined) return
  if (!isActive(seat) || seat.presence.kind !== 'connected' || !seesState(seat, blueprint)) return
  // In a pause the clock stands still: the time of whoever comes meanwhile moves by all of it.
  const from = room.status.kind === 'paused' ? room.status.since : now
  seat.here = { ...seat.here, until: from + ms }
}

/** After each action: somebody may have come, and agents come among people. */
export function beginOwnTimes(turn: Turn): void {
  const { room, blueprint } = turn
  if (!blueprint.limits.hasOwnTimes || room.status.kind === 'ended') return
  for (const seat of room.seats) {
    const state = stateOf(blueprint, flowOf(room, seat))
    if (state) beginOwnTime(turn, seat, state)
  }
}

/** Those whose time is over wait for the others from now on. `noteAbsence` is told before. */
export function endOwnTimes(turn: Turn, noteAbsence: (seat: Seat, blueprint: StateBlueprint) => void): void {
  const { room, blueprint, now } = turn
  if (!blueprint.limits.hasOwnTimes || room.status.kind !== 'running') return
  const over = room.seats.filter(({ here }) => here.until !== undefined && here.until <= now)
  for (const seat of over.filter(isOpen)) {
    const state = stateOf(blueprint, flowOf(room, seat))
    if (!state) continue
    noteAbsence(seat, state)
    recordMissing(turn, seat, 'ended')
    record(turn, seat, 'own_time_over', { stateId: state.state.id, data: {} })
    const { until: _, ...here } = seat.here
    seat.here = { ...here, sitsOut: true }
    const page = pageFor(createRoomTexts(room, turn.textWork), blueprint, seat)
    if (page) emitToSeat(turn, seat, { type: 'texts', ...page.view })
  }
}

/** By the length of a pause. */
export function moveOwnTime(seat: Seat, byMs: number): void {
  if (seat.here.until !== undefined) seat.here = { ...seat.here, until: seat.here.until + byMs }
}
