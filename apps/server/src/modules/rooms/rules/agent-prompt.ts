import { canActAtAll, movesOfMediator, movesOfSeat } from '../model/agent-moves.ts'
import { type AgentPart, isSkipped } from '../model/agent-part.ts'
import type { RoomAction } from '../model/room-action.ts'
import { recordAgentAsked } from '../model/room-records.ts'
import { Refusal, type Turn } from '../model/turn.ts'
import { flowOf } from '../model/visible-components.ts'
import { plannedForSeat } from './agent-plan.ts'
import { replaceMediator } from './mediator-turn.ts'
import { planned } from './planned-turn.ts'

/** A researcher asks an agent to act now, whatever it had planned. One that is being asked already is left alone. */
export function promptAgent(turn: Turn, action: RoomAction<'prompt'>): void {
  const { participantId } = action
  const { room, blueprint, now } = turn
  const seat = room.seats.find((one) => one.participantId === participantId)
  const mediator = room.mediators?.find((one) => one.participantId === participantId)
  const agent = seat?.agent ?? mediator?.agent
  if (!agent) throw new Refusal('NOT_FOUND', 'There is no such agent in this room.')
  if (room.status.kind === 'paused')
    throw new Refusal('ACTION_REFUSED', 'The room is paused; resume it first.')
  const visit = (seat ? flowOf(room, seat) : room.flow)?.visit ?? 1
  const moves = mediator
    ? movesOfMediator(room, blueprint, mediator)
    : seat && movesOfSeat(room, blueprint, seat)
  if (!moves || !canActAtAll(moves) || isSkipped(agent, visit) || agent.arrival)
    throw new Refusal('ACTION_REFUSED', 'There is nothing that this agent could do now.')
  if (isBeingAsked(agent, now)) return
  const asked = seat ?? mediator
  if (asked) recordAgentAsked(turn, action, asked)
  if (seat) seat.agent = plannedForSeat(turn, seat, agent, 'demand')
  else if (mediator) replaceMediator(turn, { ...mediator, agent: planned(agent, mediator, 'demand', now) })
}

/** Or is still doing what it was asked for last. */
const isBeingAsked = ({ pending, coming }: AgentPart, now: number): boolean =>
  coming !== undefined || (pending !== null && pending.dueAt <= now)
