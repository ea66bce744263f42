import { canActAtAll, hasDuty, hasNews, mayTalk, movesOfSeat } from '../model/agent-moves.ts'
import {
  type AgentPart,
  isSkipped,
  newAgentVisit,
  type PendingTurn,
  type TurnCause,
} from '../model/agent-part.ts'
import { isActive, type RoomState, type Seat } from '../model/room-state.ts'
import { latestEndFor } from '../model/time-limits.ts'
import type { Turn } from '../model/turn.ts'
import { flowOf, stateOf } from '../model/visible-components.ts'
import { postponeComingMoves, withoutComing } from './coming-moves.ts'
import { planMediators } from './mediator-plan.ts'
import { delayMs, planned } from './planned-turn.ts'

/**
 * R44: decides, after every action, what each agent has to do next. Everything follows from the room's state and the time
 * of the action, so that a replayed room, on whichever instance, has the same turns pending.
 */
export function planAgentTurns(turn: Turn, before: RoomState): void {
  const { room } = turn
  if (room.status.kind === 'ended') changePlans(turn, () => null)
  if (room.status.kind !== 'running') return
  for (const seat of room.seats) if (seat.agent) seat.agent = planSeat(turn, seat, seat.agent)
  planMediators(turn, before)
}

/** The clock stood still during a pause. A turn that was under way stays under way. */
export function postponeAgentTurns(turn: Turn, byMs: number): void {
  changePlans(turn, (pending) => ({ ...pending, dueAt: pending.dueAt + byMs }))
  postponeComingMoves(turn, byMs)
}

function changePlans({ room }: Turn, change: (pending: PendingTurn) => PendingTurn | null): void {
  const changed = (agent: AgentPart): AgentPart =>
    agent.pending ? { ...agent, pending: change(agent.pending) } : agent
  for (const seat of room.seats) if (seat.agent) seat.agent = changed(seat.agent)
  if (room.mediators) room.mediators = room.mediators.map((one) => ({ ...one, agent: changed(one.agent) }))
}

/** Nothing is asked of it, and nothing of its last turn is still to come. */
const withoutTurn = ({ coming: _dropped, ...agent }: AgentPart): AgentPart => ({ ...agent, pending: null })

function planSeat(turn: Turn, seat: Seat, given: AgentPart): AgentPart {
  const { room, blueprint, now } = turn
  const flow = flowOf(room, seat)
  const state = stateOf(blueprint, flow)
  if (!flow || !state || !isActive(seat)) return withoutTurn(given)
  // Who is not there yet has not seen the page.
  if (given.arrival) return { ...given, pending: null }
  const isNewVisit = given.here.visit !== flow.visit
  const agent = isNewVisit
    ? { ...withoutComing(given), pending: null, here: newAgentVisit(flow.visit) }
    : given
  if (agent.coming) return agent
  const moves = movesOfSeat(room, blueprint, seat)
  if (!canActAtAll(moves) || isSkipped(agent, flow.visit)) return { ...agent, pending: null }
  const plan = (cause: TurnCause, from: AgentPart = agent) => plannedForSeat(turn, seat, from, cause)
  if (isNewVisit) return plan('state')
  const { isInterrupted, ...here } = agent.here
  if (isInterrupted) return plan('state', { ...agent, here })
  if (moves.chats.length > 0 && hasNews(room, seat, agent)) {
    const rested = { ...agent, here: { ...agent.here, waits: 0 } }
    const { pending } = agent
    // A turn that is due soon takes the message into account; one that waits for a lull would come too late.
    return pending && (pending.cause !== 'lull' || pending.dueAt <= now) ? rested : plan('message', rested)
  }
  if (agent.pending) return agent
  // After a word of its own, or a look, it gives the others time.
  const isConversing = moves.canWait && (agent.here.waits > 0 || agent.here.messages > 0)
  if (hasDuty(seat, state, moves)) return plan(isConversing ? 'lull' : 'continue')
  return mayTalk(room, seat, agent, moves) ? plan('lull') : agent
}

/** A turn of the agent in a seat: after a time to think, and early enough to count in a state with a short deadline. */
export function plannedForSeat(turn: Turn, seat: Seat, agent: AgentPart, cause: TurnCause): AgentPart {
  const { room, now } = turn
  const flow = flowOf(room, seat)
  const deadlineAt = flow && latestEndFor(seat, flow)
  const latestAt = deadlineAt === null ? Infinity : now + Math.max(0, Math.floor((deadlineAt - now) / 2))
  const dueAt = Math.min(now + delayMs(turn, seat, agent, cause), latestAt)
  return planned(agent, seat, cause, Math.max(dueAt, earliestAnswer(turn, seat)))
}

/** Before this, the room would refuse the answer: some components ask for a reading time. */
function earliestAnswer({ room, blueprint }: Turn, seat: Seat): number {
  const { answers } = movesOfSeat(room, blueprint, seat)
  const flow = flowOf(room, seat)
  const state = stateOf(blueprint, flow)
  const earliest = answers.map(({ component }) => {
    const found = state?.components.find((one) => one.component.id === component.id)
    return found?.type.simulated.earliestMs(component) ?? 0
  })
  return (flow?.enteredAt ?? 0) + Math.max(0, ...earliest)
}
