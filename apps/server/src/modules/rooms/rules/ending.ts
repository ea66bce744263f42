import { assertNever } from '@atrium/contract'
import { evaluate, isTruthy, spend, type Value } from '@atrium/expressions'
import { isGivingAnswers, mayStillAct } from '../model/agent-moves.ts'
import { isSkipped } from '../model/agent-part.ts'
import { isPerson } from '../model/agents-in-room.ts'
import { type Alike, nothingAlike } from '../model/asked-about.ts'
import { isAnswered, missingAnswer } from '../model/missing-answer.ts'
import { isActive, type Seat } from '../model/room-state.ts'
import type { StateBlueprint } from '../model/state-blueprint.ts'
import { isOverLimit } from '../model/time-limits.ts'
import type { Turn } from '../model/turn.ts'
import { type Common, emptyCommon, scopeFor } from '../model/variables.ts'
import { seesComponent, seesState, stateOf } from '../model/visible-components.ts'
import { type Ending, hasDonePart, isShownTo } from './done-part.ts'
import { isAssigning } from './late-conditions.ts'
import { mayEnd } from './may-end.ts'
import { onlySeat, type Unit } from './units.ts'

/** Until somebody moves, everyone’s responses are the same for all participants in one state; so is who is asked about. */
interface Known {
  common: Map<string, Common>
  alike: Alike
}

export const nothingKnown = (): Known => ({ common: new Map(), alike: nothingAlike() })

/** Active, and connected or (unless the policy is `continue`) perhaps back within the grace period. */
const isThere = ({ blueprint }: Turn, seat: Seat): boolean =>
  isActive(seat) && (seat.presence.kind === 'connected' || blueprint.dropout.policy !== 'continue')

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

export function endingOf(turn: Turn, unit: Unit, known: Known): Ending | null {
  const blueprint = stateOf(turn.blueprint, unit.flow)
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
  const { state } = blueprint
  if (state.end?.on === 'timed' || !seats.some(isActive)) return false
  // Where the clock ends the state, it waits for the clock and not for agents that have nothing left to do.
  const isGone = (seat: Seat): boolean =>
    seat.agent !== undefined &&
    (isSkipped(seat.agent, flow.visit) ||
      (flow.deadlineAt === null && !mayStillAct(turn.room, turn.blueprint, seat)))
  // The first who could end it suffices: nearly always there is one, and a large room is asked after every action.
  return !seats.some(
    (seat) =>
      isActive(seat) &&
      seesState(seat, blueprint) &&
      mayEnd(turn, seat, flow, blueprint, alike) &&
      !isGone(seat),
  )
}

function evaluateForUnit(turn: Turn, unit: Unit, blueprint: StateBlueprint, known: Known): Value {
  if (!blueprint.endsWhen) return null
  const common = known.common.get(blueprint.state.id) ?? emptyCommon()
  known.common.set(blueprint.state.id, common)
  const { room, work } = turn
  const reading = { seat: onlySeat(unit.seats), flow: unit.flow, work, common }
  return evaluate(blueprint.endsWhen, scopeFor(room, turn.blueprint, reading), work)
}

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
