import { assertNever, success } from '@atrium/contract'
import { evaluate, isSpent, isTruthy, spend, type Value } from '@atrium/expressions'
import { nextPosition } from '@atrium/flow'
import { isGivingAnswers, mayStillAct } from '../model/agent-moves.ts'
import { isSkipped } from '../model/agent-part.ts'
import { isPerson } from '../model/agents-in-room.ts'
import { type Alike, nothingAlike } from '../model/asked-about.ts'
import { recordFinish, recordMissing } from '../model/attrition.ts'
import type { ComponentBlueprint } from '../model/component-blueprint.ts'
import { recordedOrder } from '../model/component-order.ts'
import { isAnswered, missingAnswer } from '../model/missing-answer.ts'
import { keepRoundValues } from '../model/payment.ts'
import { recordPayoffs } from '../model/room-records.ts'
import { type FlowState, isActive, isOpen, type Seat } from '../model/room-state.ts'
import { createShownTo } from '../model/shown.ts'
import type { StateBlueprint } from '../model/state-blueprint.ts'
import { createRoomTexts } from '../model/texts-in-room.ts'
import { isOverLimit, limitsAt, whereLimitLeads } from '../model/time-limits.ts'
import { emitToRoom, emitToSeat, record, type Turn, visitOf } from '../model/turn.ts'
import { assign, type Common, emptyCommon, scopeFor } from '../model/variables.ts'
import { stateEnteredFor } from '../model/view.ts'
import { componentsOfState, seesComponent, seesState, stateOf } from '../model/visible-components.ts'
import { positionAfterSkipped, stepOf } from './blocks.ts'
import { assignsConditions, isAssigning } from './late-conditions.ts'
import { mayEnd } from './may-end.ts'
import { beginOwnTime } from './own-times.ts'
import { takeRoles, willSee } from './role-rotation.ts'
import { positionByStopRules } from './stop-rules.ts'
import { ownUnit, type Unit, wholeRoom } from './units.ts'
import { visitAfter } from './unread-result.ts'

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
    let known: Known = { common: new Map(), alike: nothingAlike() }
    for (const unitNow of unitsNow)
      for (let unit = unitNow(); isGoing(turn) && unit; unit = unitNow()) {
        const ending = endingOf(turn, unit, known)
        if (!ending) break
        leaveState(turn, unit, ending, known.alike)
        hasMoved = true
        known = { common: new Map(), alike: nothingAlike() }
      }
    if (!isGoing(turn)) return
  }
}

/** Until somebody moves, everyone's responses are the same for all participants in one state; so is who is asked about. */
interface Known {
  common: Map<string, Common>
  alike: Alike
}

/** RM62: a room that has used up its work moves no further. */
const isGoing = ({ room, work }: Turn): boolean => room.status.kind === 'running' && !isSpent(work)

const stateAt = (turn: Turn, flow: FlowState): StateBlueprint | undefined => stateOf(turn.blueprint, flow)

/** Active, and connected or (unless the policy is `continue`) perhaps back within the grace period. */
const isThere = ({ blueprint }: Turn, seat: Seat): boolean =>
  isActive(seat) && (seat.presence.kind === 'connected' || blueprint.dropout.policy !== 'continue')

/** RM221: whoever skips a block is assigned nothing in it. */
const isPlaying = (seat: Seat): boolean => isActive(seat) && seat.skips === undefined

/** Whom the state waits for: participants who see it and are there, and agents that can do their part. */
const awaited = (turn: Turn, { seats, flow }: Unit, blueprint: StateBlueprint, alike: Alike): Seat[] =>
  seats.filter((seat) => {
    if (!isThere(turn, seat) || !seesState(seat, blueprint)) return false
    if (!seat.agent) return true
    if (isSkipped(seat.agent, flow.visit)) return false
    return hasDonePart(turn, seat, blueprint, 'people', alike) || mayStillAct(turn.room, turn.blueprint, seat)
  })

/** RM127: agents do not go on without people. While none of them is there, only the clock moves the room. */
function isAttended(turn: Turn): boolean {
  const { seats } = turn.room
  if (!seats.some(({ agent }) => agent)) return true
  const people = seats.filter(isPerson)
  return people.length === 0 || people.some((seat) => isThere(turn, seat))
}

/** What ended a state: the participants (directly or through a condition), only its deadline, or a time limit. */
type Ending = NonNullable<FlowState['leaving']>

function endingOf(turn: Turn, unit: Unit, known: Known): Ending | null {
  const blueprint = stateAt(turn, unit.flow)
  if (!blueprint) return null
  if (unit.flow.leaving) return isAssigning(unit) ? null : unit.flow.leaving
  spend(turn.work, 2 + unit.seats.length * (1 + blueprint.components.length / 8))
  if (isOverLimit(unit.flow, turn.now)) return hasEnded(turn, unit, blueprint, known) ? 'people' : 'limit'
  const isOverdue = unit.flow.deadlineAt !== null && unit.flow.deadlineAt <= turn.now
  // What was accepted counts even if the clock was a moment late: a participant who has done everything is in time.
  if (isOverdue && (!blueprint.onTimeout || !hasEnded(turn, unit, blueprint, known))) return 'time'
  return isOverdue || hasEnded(turn, unit, blueprint, known) ? 'people' : null
}

function hasEnded(turn: Turn, unit: Unit, blueprint: StateBlueprint, known: Known): boolean {
  if (!isAttended(turn)) return false
  if (turn.room.finishesTurns && unit.seats.some((seat) => isGivingAnswers(seat, unit.flow))) return false
  if (isDeserted(turn, unit, blueprint, known)) return true
  const waitingFor = awaited(turn, unit, blueprint, known.alike)
  // With nobody there, nobody has finished either. Only the clock moves an empty room.
  if (waitingFor.length === 0) return false
  const end = blueprint.state.end ?? { on: 'button' as const }
  switch (end.on) {
    case 'button':
      return waitingFor.every((seat) => seat.here.ready)
    case 'timed':
      return false
    case 'all_responded':
      return waitingFor.every((seat) => !missingAnswer(turn, seat, blueprint, known.alike))
    case 'any_responded':
      return waitingFor.some(
        (seat) =>
          Object.keys(seat.here.answers).length > 0 && !missingAnswer(turn, seat, blueprint, known.alike),
      )
    case 'media_ended':
      return hasMediaEnded(turn, waitingFor, blueprint, end.componentId)
    case 'condition':
      return isTruthy(evaluateForUnit(turn, unit, blueprint, known))
    default:
      return assertNever(end)
  }
}

/** Everyone who could end the state is gone while others are here: they must not wait for nobody. */
function isDeserted(turn: Turn, { seats, flow }: Unit, blueprint: StateBlueprint, { alike }: Known): boolean {
  const active = seats.filter(isActive)
  const { state } = blueprint
  // Where the clock ends the state, it waits for the clock and not for agents that have nothing left to do.
  const isGone = (seat: Seat): boolean =>
    seat.agent !== undefined &&
    (isSkipped(seat.agent, flow.visit) ||
      (flow.deadlineAt === null && !mayStillAct(turn.room, turn.blueprint, seat)))
  const actors = active.filter(
    (seat) => seesState(seat, blueprint) && mayEnd(turn, seat, flow, blueprint, alike) && !isGone(seat),
  )
  return active.length > 0 && actors.length === 0 && state.end?.on !== 'timed'
}

function evaluateForUnit(turn: Turn, unit: Unit, blueprint: StateBlueprint, known: Known): Value {
  if (!blueprint.endsWhen) return null
  const common = known.common.get(blueprint.state.id) ?? emptyCommon()
  known.common.set(blueprint.state.id, common)
  const { room, work } = turn
  const reading = { seat: onlySeat(unit.seats), flow: unit.flow, work, common }
  return evaluate(blueprint.endsWhen, scopeFor(room, turn.blueprint, reading), work)
}

const onlySeat = (seats: readonly Seat[]): Seat | null => (seats.length === 1 ? (seats[0] ?? null) : null)

/** Whether it has ended for everyone who sees it; a role that does not see it has nothing to wait for. */
function hasMediaEnded(
  turn: Turn,
  seats: readonly Seat[],
  { components }: StateBlueprint,
  componentId: string,
): boolean {
  const media = components.find(({ component }) => component.id === componentId)
  if (!media) return false
  const viewers = seats.filter((seat) => seesComponent(seat, media) && isShownTo(turn, seat, media))
  return viewers.length > 0 && viewers.every((seat) => isAnswered(seat, media))
}

const isShownTo = ({ room, blueprint, work }: Turn, seat: Seat, component: ComponentBlueprint): boolean =>
  createShownTo(room, blueprint, seat, work).has(component)

/** Ends the state: runs its assignments, and goes on as soon as everyone has a condition who must (RM207). */
export function leaveState(turn: Turn, left: Unit, ending: Ending = 'people', alike = nothingAlike()): void {
  const blueprint = stateAt(turn, left.flow)
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
const isAbsent = ({ presence, status }: Seat): boolean =>
  presence.kind === 'away' && (status === 'dropped' || !presence.isServersFault)

/** Whether a participant who is away has done what the state asks of them. */
function hasDonePart(
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
  let blueprint = stateAt(turn, flow)
  // Dropped participants count only when everyone was dropped; otherwise the others would enter a state nobody sees.
  const counts = unit.seats.some(isActive) ? isActive : isOpen
  while (
    blueprint &&
    !unit.seats.some((seat) => counts(seat) && blueprint && willSee(turn, seat, flow, blueprint))
  ) {
    if (!spend(turn.work, 2 + unit.seats.length / 2)) return
    at = positionAfterSkipped(turn, unit, flow.steps[at], at + 1)
    flow = { ...flow, position: at }
    blueprint = stateAt(turn, flow)
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
  const former = stateAt(turn, unit.flow)
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

/** The end for these participants: those still in get SUCCESS, or the outcome of what led here (R57). */
function finish(turn: Turn, unit: Unit, fromState: string | null, outcome: string): void {
  for (const seat of unit.seats.filter(isOpen)) {
    // Rooms opened before RM96 go by the grace period alone.
    const hasMissed = seat.hasMissed ?? !isActive(seat)
    finishSeat(turn, seat, hasMissed ? 'ABANDONED' : outcome, undefined, fromState)
  }
  if (turn.room.flow) endRoom(turn, 'finished')
  else endRoomIfOver(turn)
}

/** `fromState` is where the flow was; after the last state it no longer knows. */
export function finishSeat(
  turn: Turn,
  seat: Seat,
  outcome: string,
  reason?: string,
  fromState: string | null = visitOf(turn, seat).stateId,
): void {
  seat.status = 'finished'
  seat.outcome = outcome
  recordPayoffs(turn, seat)
  recordFinish(turn, seat, { outcome, reason, fromState })
  emitToSeat(turn, seat, { type: 'finished', outcome, completionCode: null })
}

/** Ends the room once nobody can continue in it. Agents do not go on without people, except in a room of their own. */
export function endRoomIfOver(turn: Turn): void {
  const { seats, status } = turn.room
  const playing = seats.some(isPerson) ? seats.filter(isPerson) : seats
  if (status.kind === 'ended' || playing.some(isOpen)) return
  for (const seat of seats.filter(isActive)) finishSeat(turn, seat, 'ABANDONED', 'everyone_done')
  endRoom(turn, 'everyone_done')
}

export function endRoom(turn: Turn, reason: string): void {
  turn.room.status = { kind: 'ended', reason }
  delete turn.room.playback
  emitToRoom(turn, { type: 'room_ended', reason })
}
