import { type AgentFallback, drawAnswer } from '@atrium/contract'
import { random } from '../../flow/index.ts'
import { hasDuty, movesOfSeat } from '../model/agent-moves.ts'
import type { AgentMove } from '../model/room-action.ts'
import { isActive, type Seat } from '../model/room-state.ts'
import { Refusal, type Turn } from '../model/turn.ts'
import { flowOf, stateOf } from '../model/visible-components.ts'
import { applyMove } from './agent-move.ts'
import { vacate } from './presence.ts'

/** There was no valid reply. The room goes on: without the agent, with drawn answers, or as if it had left. */
export function fallBack(turn: Turn, seat: Seat, fallback: AgentFallback): void {
  const { room, blueprint } = turn
  const state = stateOf(blueprint, flowOf(room, seat))
  const end = state?.state.end
  // A condition may depend on its answer, and without a deadline nothing else would end the state.
  const isNeeded = end?.on === 'condition' && end.afterMs === undefined
  if (fallback === 'default' || isNeeded) answerByDraw(turn, seat)
  if (fallback === 'leave') {
    if (isActive(seat)) vacate(turn, seat, 'left', 'ABANDONED', 'no valid reply of the model')
    return
  }
  if (!seat.agent || !state || !hasDuty(seat, state, movesOfSeat(room, blueprint, seat))) return
  seat.agent = { ...seat.agent, here: { ...seat.agent.here, isSkipped: true } }
}

function answerByDraw(turn: Turn, seat: Seat): void {
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
  for (const [index, move] of moves.entries())
    try {
      applyMove(turn, seat, move, `default.${number}.${index}`)
    } catch (error) {
      // A drawn answer may still break a rule, such as a reading time. Then nobody waits for it.
      if (!(error instanceof Refusal)) throw error
    }
}
