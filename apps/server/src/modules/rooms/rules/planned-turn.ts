import { pacingOf, type Random } from '@atrium/contract'
import { random } from '@atrium/flow'
import type { AgentPart, TurnCause } from '../model/agent-part.ts'
import { personaOf } from '../model/agents-in-room.ts'
import type { Seat } from '../model/room-state.ts'
import type { Turn } from '../model/turn.ts'

/** The turn gets a number that no other turn of this agent has. */
export function planned(
  agent: AgentPart,
  { participantId }: Pick<Seat, 'participantId'>,
  cause: TurnCause,
  dueAt: number,
): AgentPart {
  const number = agent.planned + 1
  return { ...agent, planned: number, pending: { turnId: `${participantId}.${number}`, cause, dueAt } }
}

/** How long the agent takes before it acts; drawn anew for each turn. */
export function delayMs(
  { room, blueprint }: Turn,
  { participantId }: Pick<Seat, 'participantId'>,
  agent: AgentPart,
  cause: TurnCause,
): number {
  const { thinkMs, thinkSpreadMs, lullMs } = pacingOf(personaOf(room, blueprint, agent) ?? {})
  if (cause === 'demand') return 0
  const draw = random(`${room.seed} ${participantId} turn ${agent.planned + 1}`)
  // RM174: nobody waits for exactly as long each time, and now and then somebody takes much longer.
  if (room.isBlended)
    return cause === 'lull'
      ? skewedMs(lullMs, draw, 0.3)
      : thinkMs + skewedMs(thinkSpreadMs * 0.45, draw, 0.8)
  if (cause === 'lull') return lullMs
  return Math.round(thinkMs + draw() * thinkSpreadMs)
}

/** Skewed as the times of people are: half of them are shorter than the usual one, and some take several times as long. */
export function skewedMs(usualMs: number, draw: Random, spread = 0.7): number {
  const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
  return Math.round(usualMs * Math.exp(Math.max(-2, Math.min(2, normal)) * spread))
}
