import { evaluate, isSpent, isTruthy, spend } from '@atrium/expressions'
import { nextPosition } from '@atrium/flow'
import { type Alike, nothingAlike } from '../model/asked-about.ts'
import { recordMissing } from '../model/attrition.ts'
import { isOpen } from '../model/room-state.ts'
import type { StateBlueprint } from '../model/state-blueprint.ts'
import { whereLimitLeads } from '../model/time-limits.ts'
import { record, type Turn } from '../model/turn.ts'
import { assign, scopeFor } from '../model/variables.ts'
import { stateOf } from '../model/visible-components.ts'
import { type Ending, isAbsent, noteAbsences } from './done-part.ts'
import { endingOf, nothingKnown } from './ending.ts'
import { enterFrom } from './enter-state.ts'
import { assignsConditions } from './late-conditions.ts'
import { rewire } from './rewiring.ts'
import { positionByStopRules } from './stop-rules.ts'
import { isPlaying, onlySeat, ownUnit, type Unit, wholeRoom } from './units.ts'

/**
 * Moves everyone on whose state has ended, until no state has. Called after every action. When a move ends the state of
 * somebody earlier in the list, the next pass picks that up.
 */
export function leaveEndedStates(turn: Turn): void {
  const unitsNow = turn.room.flow
    ? [() => wholeRoom(turn)]
    : turn.room.seats.map((seat) => () => ownUnit(seat))
  let hasMoved = true
  while (hasMoved) {
    hasMoved = false
    let known = nothingKnown()
    for (const unitNow of unitsNow)
      for (let unit = unitNow(); isGoing(turn) && unit; unit = unitNow()) {
        const ending = endingOf(turn, unit, known)
        if (!ending) break
        leaveState(turn, unit, ending, known.alike)
        hasMoved = true
        known = nothingKnown()
      }
    if (!isGoing(turn)) return
  }
}

/** RM62: a room that has used up its work moves no further. */
const isGoing = ({ room, work }: Turn): boolean => room.status.kind === 'running' && !isSpent(work)

/** Ends the state: runs its assignments, and goes on as soon as everyone has a condition who must (RM207). */
export function leaveState(turn: Turn, left: Unit, ending: Ending = 'people', alike = nothingAlike()): void {
  const blueprint = stateOf(turn.blueprint, left.flow)
  if (!blueprint) return
  const { leaving, ...flow } = left.flow
  if (!leaving) endState(turn, left, blueprint, ending, alike)
  if (assignsConditions(turn, left)) left.moveTo({ ...flow, leaving: leaving ?? ending, deadlineAt: null })
  else goOn(turn, { ...left, flow }, blueprint, leaving ?? ending)
}

function endState(turn: Turn, unit: Unit, blueprint: StateBlueprint, ending: Ending, alike: Alike): void {
  noteAbsences(turn, unit, blueprint, ending, alike)
  for (const seat of unit.seats.filter(isOpen))
    recordMissing(turn, seat, isAbsent(seat) ? 'left' : ending === 'people' ? 'ended' : 'timed_out', alike)
  assign(turn, blueprint.onEnd, unit.seats.filter(isPlaying), unit.flow, 'onEnd')
  rewire(turn, unit.seats.filter(isPlaying), unit.flow, blueprint)
}

/** Follows `onTimeout`, the first transition that holds, or the next step. */
function goOn(turn: Turn, unit: Unit, blueprint: StateBlueprint, ending: Ending): void {
  const { onTimeout } = blueprint
  if (ending === 'limit') {
    leaveByLimit(turn, unit, blueprint.state.id)
    return
  }
  if (ending === 'time' && onTimeout) {
    const position = nextPosition(unit.flow.steps, unit.flow.position, onTimeout.to)
    enterFrom(turn, unit, positionByStopRules(turn, unit, position), blueprint.state.id, onTimeout.outcome)
    return
  }
  const { work } = turn
  const reading = { seat: onlySeat(unit.seats), flow: unit.flow, work, now: turn.now }
  const scope = scopeFor(turn.room, turn.blueprint, reading)
  const taken = blueprint.transitions.find(({ key, when, atMost }) => {
    spend(work, 1)
    const isOpenStill = atMost === null || (unit.flow.taken[key] ?? 0) < atMost
    return isOpenStill && (!when || isTruthy(evaluate(when, scope, work)))
  })
  const position = nextPosition(unit.flow.steps, unit.flow.position, taken?.to ?? null)
  // A way back was found only after searching everything ahead.
  if (position <= unit.flow.position) spend(work, unit.flow.steps.length / 16)
  const counts = taken
    ? { ...unit.flow.taken, [taken.key]: (unit.flow.taken[taken.key] ?? 0) + 1 }
    : unit.flow.taken
  const taking = { ...unit, flow: { ...unit.flow, taken: counts } }
  enterFrom(
    turn,
    taking,
    positionByStopRules(turn, unit, position),
    blueprint.state.id,
    taken?.outcome ?? null,
  )
}

/** RM219: the limit of the study applies once. */
function leaveByLimit(turn: Turn, unit: Unit, stateId: string): void {
  const { to, outcome, block } = whereLimitLeads(turn.blueprint.limits, unit.flow, turn.now)
  for (const seat of unit.seats.filter(isOpen))
    record(turn, seat, 'time_limit_reached', { stateId, data: { block } })
  const { limits, ...flow } = unit.flow
  const rest = block !== null && limits ? { limits } : {}
  enterFrom(turn, { ...unit, flow: { ...flow, ...rest } }, to, stateId, outcome)
}
