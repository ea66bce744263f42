import type { AgentMove } from '../model/room-action.ts'
import type { Seat } from '../model/room-state.ts'
import type { Turn } from '../model/turn.ts'
import { participantActions } from './participation.ts'

/** An agent acts as a person does. */
export function applyMove(turn: Turn, { participantId }: Seat, move: AgentMove, actionId: string): void {
  const by = { participantId, actionId }
  switch (move.type) {
    case 'submit_response':
      participantActions.submit_response(turn, { ...move, ...by })
      break
    case 'send_message':
      participantActions.send_message(turn, { ...move, ...by })
      break
    case 'ready':
      participantActions.ready(turn, { ...move, ...by })
      break
  }
}
