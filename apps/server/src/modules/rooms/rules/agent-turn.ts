import type { AgentMoves } from '@atrium/agent-protocol'
import { movesOfSeat } from '../model/agent-moves.ts'
import type { AgentPart } from '../model/agent-part.ts'
import type { AgentMove, RoomAction } from '../model/room-action.ts'
import type { Seat } from '../model/room-state.ts'
import { Refusal, record, type Turn } from '../model/turn.ts'
import { afterTurn } from './after-turn.ts'
import { fallBack } from './agent-fallback.ts'
import { applyMove } from './agent-move.ts'
import { isStillMeant, takeMovesInTime } from './coming-moves.ts'
import { takeMediatorTurn } from './mediator-turn.ts'

export const turnIsOver = 'This turn is over.'

/** R44: applies what an agent does, through the rules for people. A reply to any turn but the pending one is refused. */
export function takeAgentTurn(turn: Turn, action: RoomAction<'agent_turn'>): void {
  const { status, seats, mediators } = turn.room
  if (status.kind === 'ended') throw new Refusal('ROOM_ENDED', 'The room has ended.')
  if (status.kind === 'paused') throw new Refusal('ROOM_PAUSED', 'The room is paused.')
  const seat = seats.find((one) => one.participantId === action.participantId && one.agent)
  const mediator = mediators?.find((one) => one.participantId === action.participantId)
  const agent = seat?.agent ?? mediator?.agent
  if (agent?.pending?.turnId !== action.turnId) throw new Refusal('ACTION_REFUSED', turnIsOver)
  if (seat) takeSeatTurn(turn, seat, agent, action)
  else if (mediator) takeMediatorTurn(turn, mediator, action)
}

function takeSeatTurn(turn: Turn, seat: Seat, agent: AgentPart, action: RoomAction<'agent_turn'>): void {
  const { moves, turnId, fallback, source = null } = action
  turn.answerSource = source
  if (!fallback) refuseIllegal(movesOfSeat(turn.room, turn.blueprint, seat), action)
  if (turn.room.isBlended) takeMovesInTime(turn, seat, moves, turnId)
  else
    for (const [index, move] of moves.entries())
      if (isStillMeant(turn, seat, moves, move)) applyMove(turn, seat, move, `${turnId}.${index}`)
  record(turn, seat, 'agent_turn', {
    data: { turnId, agentId: agent.agentId, cause: agent.pending?.cause, ...(fallback && { fallback }) },
  })
  seat.agent = afterTurn(turn, seat.agent ?? agent, action)
  if (fallback) fallBack(turn, seat, fallback)
  // The number of the turn keeps it from being applied twice.
  seat.recent = []
}

/** What people may do and agents may not: write more than their pacing allows, or leave the others waiting. */
function refuseIllegal(
  { answers, canContinue, canWait, chats }: AgentMoves,
  { moves, isWaiting }: RoomAction<'agent_turn'>,
): void {
  const isLegal = (move: AgentMove): boolean => {
    switch (move.type) {
      case 'submit_response':
        return answers.some(({ component }) => component.id === move.componentId)
      case 'send_message':
        return chats.some(({ componentId }) => componentId === move.componentId)
      case 'ready':
        return canContinue
    }
  }
  const waits = isWaiting || moves.length === 0
  if ((waits && !canWait) || !moves.every(isLegal))
    throw new Refusal('ACTION_REFUSED', 'This is not among the things that the agent may do now.')
}
