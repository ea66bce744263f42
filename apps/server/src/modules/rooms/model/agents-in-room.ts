import type { Agent } from '@atrium/contract'
import type { AgentPart, Mediator } from './agent-part.ts'
import type { Blueprint } from './blueprint.ts'
import type { RoomState, Seat } from './room-state.ts'

/** The persona behind a part: of a pilot, or of the definition. */
export const personaOf = (
  { personas }: Pick<RoomState, 'personas'>,
  { definition }: Pick<Blueprint, 'definition'>,
  { agentId }: Pick<AgentPart, 'agentId'>,
): Agent | undefined => (personas ?? definition.agents ?? []).find(({ id }) => id === agentId)

export const isPerson = (seat: Seat): boolean => seat.agent === undefined && seat.status !== 'agent'

/** Every agent of the room, with or without a seat. */
export const agentsIn = ({ seats, mediators }: RoomState): (Mediator | (Seat & { agent: AgentPart }))[] => [
  ...seats.filter((seat): seat is Seat & { agent: AgentPart } => seat.agent !== undefined),
  ...(mediators ?? []),
]
