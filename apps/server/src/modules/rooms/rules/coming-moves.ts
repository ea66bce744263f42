import type { Random } from '@atrium/contract'
import { random } from '@atrium/flow'
import { movesOfSeat } from '../model/agent-moves.ts'
import type { AgentPart, ComingMove, ComingMoves } from '../model/agent-part.ts'
import { missingAnswer } from '../model/missing-answer.ts'
import type { AgentMove } from '../model/room-action.ts'
import { isActive, type Seat } from '../model/room-state.ts'
import { latestEndFor } from '../model/time-limits.ts'
import { beginTurn, Refusal, type Turn } from '../model/turn.ts'
import { flowOf, stateOf } from '../model/visible-components.ts'
import { applyMove } from './agent-move.ts'
import { skewedMs } from './planned-turn.ts'
import { vacate } from './presence.ts'

/** Between a message and an answer, people do something else. */
const usuallyAfterMessageMs = 3_000
/** Their page sends all answers together, and presses the button once they have arrived. */
const afterAnswer = { minMs: 2, spreadMs: 25 }
const beforeButton = { minMs: 40, spreadMs: 260 }
/** What is left of the last turn still counts in a state that is about to end. */
const beforeDeadlineMs = 200

/**
 * RM174: a hidden agent does one thing after the other, as a person does, and not everything in the same millisecond. The
 * moves are tried out together first, so that a turn is still refused as a whole.
 */
export function takeMovesInTime(turn: Turn, seat: Seat, moves: readonly ComingMove[], turnId: string): void {
  const ordered = turn.room.finishesTurns ? asSentByPages(turn, seat, moves) : moves
  applyAll(rehearsal(turn), seat.participantId, ordered, turnId)
  if (!seat.agent || moves.length === 0) return
  seat.agent = { ...seat.agent, coming: comingMoves(turn, seat, ordered, turnId) }
  takeComingMoves(turn)
}

/** Pages send what is required last, because it may end the state; otherwise in the order of the page. */
function asSentByPages(turn: Turn, seat: Seat, moves: readonly ComingMove[]): ComingMove[] {
  const { answers } = movesOfSeat(turn.room, turn.blueprint, seat)
  const placeOf = (move: ComingMove): number => {
    if (move.type === 'send_message') return -1
    if (move.type !== 'submit_response') return 2 * answers.length
    const place = answers.findIndex(({ component }) => component.id === move.componentId)
    return answers[place]?.isRequired ? answers.length + place : place
  }
  return moves.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** A copy of the room as it is in the middle of this action, which nobody will ever see. */
export const rehearsal = ({ room, blueprint, now, actorId }: Turn): Turn =>
  beginTurn(room, blueprint, now, actorId)

function applyAll(turn: Turn, participantId: string, moves: readonly ComingMove[], turnId: string): void {
  const seat = turn.room.seats.find((one) => one.participantId === participantId)
  if (!seat) return
  for (const [index, move] of moves.entries())
    if (move.type !== 'leave' && isStillMeant(turn, seat, moves, move))
      applyMove(turn, seat, move, `${turnId}.${index}`)
}

function comingMoves(turn: Turn, seat: Seat, moves: readonly ComingMove[], turnId: string): ComingMoves {
  const draw = random(`${turn.room.seed} ${turnId} moves`)
  const flow = flowOf(turn.room, seat)
  const deadlineAt = (flow && latestEndFor(seat, flow)) ?? Infinity
  let at = turn.now
  const times = moves.map((move, index) => {
    at += index === 0 ? 0 : pauseBetween(moves[index - 1], move, draw)
    return Math.max(turn.now, Math.min(at, deadlineAt - beforeDeadlineMs))
  })
  return { turnId, source: turn.answerSource, moves, at: times, next: 0 }
}

function pauseBetween(former: ComingMove | undefined, { type }: ComingMove, draw: Random): number {
  if (former?.type === 'send_message') return skewedMs(usuallyAfterMessageMs, draw, 0.5)
  const { minMs, spreadMs } = type === 'submit_response' ? afterAnswer : beforeButton
  return Math.round(minMs + draw() * spreadMs)
}

/** Those that are due. What the room no longer takes, because it has moved on, is left out with all that would follow. */
export function takeComingMoves(turn: Turn): void {
  if (turn.room.status.kind !== 'running') return
  for (const { participantId } of turn.room.seats) takeThose(turn, participantId)
}

function takeThose(turn: Turn, participantId: string): void {
  for (;;) {
    const seat = turn.room.seats.find((one) => one.participantId === participantId)
    const coming = seat?.agent?.coming
    const [move, at] = [coming?.moves[coming.next], coming?.at[coming.next]]
    if (!seat?.agent || !coming || !move || at === undefined || at > turn.now) return
    const isTaken = takeOne(turn, seat, coming, move)
    const next = { ...seat.agent, coming: { ...coming, next: coming.next + 1 } }
    seat.agent = isTaken && next.coming.next < coming.moves.length ? next : withoutComing(next)
    seat.recent = []
  }
}

/** What was still to come of its last turn is left out, unless it is to leave. */
export function withoutComing({ coming, ...agent }: AgentPart): AgentPart {
  const last = (coming?.moves.length ?? 0) - 1
  const isLeaving = coming?.moves[last]?.type === 'leave' && coming.next <= last
  return isLeaving ? { ...agent, coming: { ...coming, next: last } } : agent
}

/** RM126: nobody knows what it would have done. */
export function leaveWithoutReply(turn: Turn, seat: Seat): void {
  if (isActive(seat)) vacate(turn, seat, 'left', 'ABANDONED', 'no valid reply of the model')
}

function takeOne(
  turn: Turn,
  seat: Seat,
  { turnId, source, moves, next }: ComingMoves,
  move: ComingMove,
): boolean {
  const before = turn.answerSource
  turn.answerSource = source
  try {
    if (move.type === 'leave') leaveWithoutReply(turn, seat)
    else if (isStillMeant(turn, seat, moves, move)) applyMove(turn, seat, move, `${turnId}.${next}`)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  } finally {
    turn.answerSource = before
  }
}

/** The clock stood still during a pause. */
export function postponeComingMoves({ room }: Turn, byMs: number): void {
  for (const seat of room.seats)
    if (seat.agent?.coming) {
      const { coming } = seat.agent
      seat.agent = { ...seat.agent, coming: { ...coming, at: coming.at.map((at) => at + byMs) } }
    }
}

/**
 * A reply says in one go what a person does step by step: whoever is screened out by an answer does nothing after it, and
 * whoever has just failed a check, or whose answer has brought another question, does not press the button before that is answered.
 */
export function isStillMeant(turn: Turn, seat: Seat, moves: readonly ComingMove[], move: AgentMove): boolean {
  if (!isActive(seat)) return false
  const state = stateOf(turn.blueprint, flowOf(turn.room, seat))
  const missing = move.type === 'ready' && state ? missingAnswer(turn, seat, state)?.component : undefined
  const answers = moves.flatMap((one) => (one.type === 'submit_response' ? [one.componentId] : []))
  const mayBeNew = missing?.when !== undefined && answers.length > 0
  return missing === undefined || !(answers.includes(missing.id) || mayBeNew)
}
