import { drawAnswer } from '@atrium/agent-protocol'
import type { AgentFallback } from '@atrium/contract'
import { random } from '@atrium/flow'
import { hasDuty, movesOfSeat } from '../model/agent-moves.ts'
import type { ComingMove } from '../model/agent-part.ts'
import type { AgentMove } from '../model/room-action.ts'
import type { Seat } from '../model/room-state.ts'
import { Refusal, type Turn } from '../model/turn.ts'
import { flowOf, stateOf } from '../model/visible-components.ts'
import { applyMove } from './agent-move.ts'
import { leaveWithoutReply, rehearsal, takeMovesInTime } from './coming-moves.ts'

/** There was no valid reply. The room goes on: without the agent, with drawn answers, or as if it had left. */
export function fallBack(turn: Turn, seat: Seat, fallback: AgentFallback): void {
  const { room, blueprint } = turn
  const state = stateOf(blueprint, flowOf(room, seat))
  const end = state?.state.end
  // A condition may depend on its answer, and without a deadline nothing else would end the state.
  const isNeeded = end?.on === 'condition' && end.afterMs === undefined
  // RM181: what it has drawn comes before it leaves.
  const leavesLater = fallback === 'leave' && isNeeded && room.finishesTurns === true
  const last: ComingMove[] = leavesLater ? [{ type: 'leave' }] : []
  const after = fallback === 'default' || isNeeded ? answerByDraw(turn, seat, last) : seat
  if (fallback === 'leave') {
    if (!leavesLater) leaveWithoutReply(turn, seat)
    return
  }
  if (!seat.agent || !state || !hasDuty(after, state, movesOfSeat(room, blueprint, after))) return
  seat.agent = { ...seat.agent, here: { ...seat.agent.here, isSkipped: true } }
}

/** Returns the seat with these answers, which a hidden agent gives one after the other. */
function answerByDraw(turn: Turn, seat: Seat, last: readonly ComingMove[]): Seat {
  const { room, blueprint } = turn
  turn.answerSource = 'fallback'
  const draw = random(`${room.seed} ${seat.participantId} ${seat.agent?.planned} default`)
  const number = seat.agent?.planned ?? 0
  const { answers, canContinue } = movesOfSeat(room, blueprint, seat)
  const moves: AgentMove[] = answers.map(({ component }) => ({
    type: 'submit_response',
    componentId: component.id,
    value: drawAnswer(component, draw),
  }))
  if (canContinue) moves.push({ type: 'ready' })
  const turnId = `default.${number}`
  if (!room.isBlended) {
    takePossible(turn, seat, moves, turnId)
    return seat
  }
  const other = rehearsal(turn)
  const after = other.room.seats.find(({ participantId }) => participantId === seat.participantId) ?? seat
  takeMovesInTime(turn, seat, [...takePossible(other, after, moves, turnId), ...last], turnId)
  return after
}

/** Those that the room takes: a drawn answer may break a rule, such as a reading time. Then nobody waits for it. */
const takePossible = (turn: Turn, seat: Seat, moves: readonly AgentMove[], turnId: string): AgentMove[] =>
  moves.filter((move, index) => {
    try {
      applyMove(turn, seat, move, `${turnId}.${index}`)
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  })
