import { type Agent, anyRole, roleIdsOf } from '@atrium/contract'
import type { Assignment } from '@atrium/flow'
import { type Mediator, newAgentPart } from '../model/agent-part.ts'
import { isPerson } from '../model/agents-in-room.ts'
import { isOpen, type Seat, type StoredMessage } from '../model/room-state.ts'
import { emitAbout, record, type Turn, visitOf } from '../model/turn.ts'
import { recordInitial } from '../model/variable-record.ts'
import { otherView } from '../model/view.ts'
import { type AgentSeat, agentParticipantPrefix } from '../rooms.store.ts'
import { returning } from './hidden-agents.ts'
import { recordSuccessor } from './networking.ts'
import { newSeat } from './new-seat.ts'

const personasOf = ({ room, blueprint }: Turn): readonly Agent[] =>
  room.personas ?? blueprint.definition.agents ?? []

/** R43: gives agents the seats that the definition has for them, then those that matching left for them. */
export function seatAgents(turn: Turn, filled: readonly AgentSeat[], assigned?: Assignment): void {
  const { room } = turn
  const personas = personasOf(turn)
  for (const persona of personas)
    for (let count = 0; count < (persona.seats ?? 0); count++)
      room.seats.push(agentSeat(turn, persona, persona.role ?? rarestRole(turn), assigned))
  for (const { role, agentId } of filled) {
    const persona = personas.find((one) => (agentId === undefined ? fills(one, role) : one.id === agentId))
    room.seats.push(persona ? agentSeat(turn, persona, role, assigned) : reservedSeat(turn, role))
  }
  const mediators = personas
    .filter(({ mediates }) => mediates !== undefined)
    .map((persona, index): Mediator => {
      const participantId = agentParticipantId(turn, `m${index + 1}`)
      return { participantId, alias: persona.name, agent: newAgentPart(persona.id, 0) }
    })
  if (mediators.length > 0) room.mediators = mediators
}

const fills = ({ fills = false, role }: Agent, wanted: string): boolean =>
  fills && (role === undefined || role === wanted)

const replaces = ({ replaces = false, role }: Agent, wanted: string): boolean =>
  replaces && (role === undefined || role === wanted)

/** For an agent without a role of its own: the one that fewest have so far. */
function rarestRole({ room, blueprint }: Turn): string {
  const takers = (role: string): number => room.seats.filter((seat) => seat.role === role).length
  const [first = anyRole, ...others] = roleIdsOf(blueprint.definition)
  return others.reduce((rarest, role) => (takers(role) < takers(rarest) ? role : rarest), first)
}

/** Unique everywhere, and the same whenever the log is read. */
const agentParticipantId = ({ room }: Turn, number: string): string =>
  `${agentParticipantPrefix}${room.roomId}_${number}`

function agentSeat(turn: Turn, { id }: Agent, role: string, assigned?: Assignment): Seat {
  const index = turn.room.seats.length
  const isShared = turn.blueprint.pacing === 'room'
  return {
    ...newSeat(turn, { participantId: agentParticipantId(turn, `${index + 1}`), role }, index, {
      isShared,
      ...(assigned && { assigned }),
    }),
    presence: { kind: 'connected' },
    agent: newAgentPart(id, turn.room.messageCount),
  }
}

/** A seat of a definition without an agent that could fill it: kept free, and nobody waits for it. */
function reservedSeat(turn: Turn, role: string): Seat {
  const index = turn.room.seats.length
  return {
    ...newSeat(turn, { participantId: `agent_${index + 1}`, role }, index, { isShared: true }),
    status: 'agent',
    presence: { kind: 'away', since: turn.now, graceUntil: null },
  }
}

/** The agent that goes on for somebody who is gone, if one does. */
function successorOf(turn: Turn, left: Seat): Agent | undefined {
  // An agent that leaves is not replaced: the next one would probably fail as well, and so on without end.
  if (left.agent || !turn.room.seats.some((seat) => isOpen(seat) && isPerson(seat))) return undefined
  return personasOf(turn).find((one) => replaces(one, left.role))
}

/** RM175: to the others, somebody who will be replaced by a hidden agent is away for a while. */
export const isReplacedUnseen = (turn: Turn, left: Seat): boolean =>
  turn.room.isBlended === true && successorOf(turn, left) !== undefined

/** RM122: an agent goes on where a person has stopped, with their variables and answers, as long as somebody else is left. */
export function replaceWithAgent(turn: Turn, left: Seat): void {
  const { room } = turn
  const persona = successorOf(turn, left)
  if (!persona) return
  const agent = agentSeat(turn, persona, left.role)
  const seat: Seat = {
    ...agent,
    ...(room.isBlended && agent.agent && { alias: left.alias, ...returning(turn, agent, agent.agent) }),
    ...(left.condition !== undefined && { condition: left.condition }),
    ...(left.skips !== undefined && { skips: left.skips }),
    ...(left.rotationPlace !== undefined && { rotationPlace: left.rotationPlace }),
    ...(left.place !== undefined && { place: left.place }),
    variables: left.variables,
    responses: left.responses,
    here: left.here,
    flow: left.flow,
  }
  left.replacedBy = seat.participantId
  if (room.isBlended) room.seats.splice(room.seats.indexOf(left), 1, seat)
  room.seats.push(room.isBlended ? left : seat)
  room.messages = room.messages.map((stored) => sharedWith(stored, left, seat))
  record(turn, seat, 'agent_seated', {
    data: { agentId: persona.id, replaces: left.alias, reason: left.status },
  })
  recordInherited(turn, seat)
  recordSuccessor(turn, left, seat)
  if (!room.isBlended) emitAbout(turn, seat, { type: 'seated', other: otherView(room, turn.blueprint, seat) })
}

/** What the agent goes on with, so that its own record is complete: the variables, and the answers of this visit. */
function recordInherited(turn: Turn, seat: Seat): void {
  recordInitial(turn, seat, seat, seat.variables, 'inherited')
  const { stateId, visit } = visitOf(turn, seat)
  for (const [componentId, { value, result, targets }] of Object.entries(seat.here.answers))
    record(turn, seat, 'component_response', {
      stateId,
      componentId,
      data: {
        ...{ value, visit, answerSource: 'inherited' },
        ...(result && { result }),
        ...(targets && { targets }),
      },
    })
}

/** What one could read, the other can read as well. */
function sharedWith(stored: StoredMessage, one: Seat, other: Seat): StoredMessage {
  const also = (ids: readonly string[]): readonly string[] =>
    ids.includes(one.participantId) ? [...ids, other.participantId] : ids
  const { to, missedBy } = stored
  return { ...stored, to: to && also(to), ...(missedBy && { missedBy: also(missedBy) }) }
}
