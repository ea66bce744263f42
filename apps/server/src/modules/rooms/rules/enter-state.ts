import { success } from '@atrium/contract'
import { spend } from '@atrium/expressions'
import { recordedOrder } from '../model/component-order.ts'
import { keepRoundValues } from '../model/payment.ts'
import { type FlowState, isActive, isOpen } from '../model/room-state.ts'
import { createRoomTexts } from '../model/texts-in-room.ts'
import { limitsAt } from '../model/time-limits.ts'
import { emitToSeat, record, type Turn } from '../model/turn.ts'
import { assign } from '../model/variables.ts'
import { stateEnteredFor } from '../model/view.ts'
import { seesState, stateOf } from '../model/visible-components.ts'
import { positionAfterSkipped, stepOf } from './blocks.ts'
import { finish } from './finish.ts'
import { beginOwnTime } from './own-times.ts'
import { takeRoles, willSee } from './role-rotation.ts'
import { isPlaying, type Unit } from './units.ts'
import { visitAfter } from './unread-result.ts'

/** A record and an event for each participant. Measured: 3 µs to create, twice that to store and to send. */
const costOfEntering = 128

/** Enters the state at a position, or the next one that somebody sees; past the last, the experiment is over. */
export function enterFrom(
  turn: Turn,
  unit: Unit,
  position: number,
  fromState: string | null,
  outcomeAtEnd: string | null = null,
): void {
  const skipped = new Map(unit.seats.map((seat) => [seat, seat.skips]))
  let at = positionAfterSkipped(turn, unit, stepOf(unit), position)
  let flow: FlowState = { ...unit.flow, position: at }
  let blueprint = stateOf(turn.blueprint, flow)
  // Dropped participants count only when everyone was dropped; otherwise the others would enter a state nobody sees.
  const counts = unit.seats.some(isActive) ? isActive : isOpen
  while (
    blueprint &&
    !unit.seats.some((seat) => counts(seat) && blueprint && willSee(turn, seat, flow, blueprint))
  ) {
    if (!spend(turn.work, 2 + unit.seats.length / 2)) return
    at = positionAfterSkipped(turn, unit, flow.steps[at], at + 1)
    flow = { ...flow, position: at }
    blueprint = stateOf(turn.blueprint, flow)
  }
  keepRoundValues(turn, { ...unit, skipped }, flow)
  if (!blueprint) {
    unit.moveTo({ ...flow, deadlineAt: null })
    takeRoles(turn, unit, flow)
    finish(turn, unit, fromState, outcomeAtEnd ?? success)
    return
  }
  const { state } = blueprint
  const afterMs = state.end && 'afterMs' in state.end ? state.end.afterMs : undefined
  const { limits: _former, ...path } = flow
  const limits = limitsAt(turn.blueprint.limits, { flow, from: stepOf(unit), now: turn.now })
  const entered: FlowState = {
    ...path,
    ...(limits && { limits }),
    visit: flow.visit + 1,
    enteredAt: turn.now,
    deadlineAt: afterMs === undefined ? null : turn.now + afterMs,
  }
  unit.moveTo(entered)
  takeRoles(turn, unit, entered)
  const present = unit.seats.filter(isOpen)
  // Including those who have left: responses belong to the state they were given in.
  const former = stateOf(turn.blueprint, unit.flow)
  for (const seat of unit.seats) {
    const here = visitAfter(seat, former, turn.now)
    seat.here = seat.skips === undefined ? here : { ...here, sitsOut: true }
    beginOwnTime(turn, seat, blueprint)
  }
  assign(turn, blueprint.onEnter, present.filter(isPlaying), entered, 'onEnter')
  spend(turn.work, unit.seats.length * (costOfEntering + blueprint.components.length / 4))
  const texts = createRoomTexts(turn.room, turn.textWork)
  for (const seat of present) {
    record(turn, seat, 'state_transition', {
      stateId: state.id,
      data: {
        ...{ fromState, toState: state.id, visit: entered.visit },
        ...(seesState(seat, blueprint) && recordedOrder(turn.room, seat, blueprint, entered)),
      },
    })
    emitToSeat(turn, seat, stateEnteredFor(texts, turn.blueprint, seat, entered))
  }
}
