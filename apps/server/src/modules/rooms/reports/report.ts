import {
  type Agent,
  type AgentReport,
  type ExperimentDefinition,
  type RoomReport,
  type SeatReport,
  stageIdOf,
} from '@atrium/contract'
import type { AgentPart } from '../model/agent-part.ts'
import { neighboursOf, sittersOf } from '../model/network.ts'
import { conditionIn, type FlowState, type RoomState, type Seat } from '../model/room-state.ts'

/**
 * Everything about a room, for researchers. `podId` is the instance that holds it, if one does; the agents are those of the
 * definition, which have names. A room of the first stage does not know what it is called.
 */
export const reportRoom = (
  room: RoomState,
  podId: string | null,
  definition: Pick<ExperimentDefinition, 'agents' | 'stages'> = {},
): RoomReport => ({
  roomId: room.roomId,
  experimentId: room.experimentId,
  revision: room.revision,
  status: room.status.kind,
  resting: room.status.kind !== 'ended' && podId === null,
  podId,
  endReason: room.status.kind === 'ended' ? room.status.reason : null,
  stage: stageIdOf(definition, room.stage ?? null),
  condition: room.condition,
  seed: room.seed,
  ordinal: room.ordinal,
  seq: room.seq,
  pacing: room.flow ? 'room' : 'participant',
  ...positionIn(room, room.flow),
  variables: { ...room.variables },
  synthetic: room.personas !== undefined,
  mediators: (room.mediators ?? []).map(({ participantId, alias, agent }) => ({
    participantId,
    alias,
    agent: reportAgent(room.personas ?? definition.agents ?? [], agent),
  })),
  ...(room.skippedActions === undefined ? {} : { skippedActions: room.skippedActions }),
})

export function reportSeats(room: RoomState, now: number, agents: readonly Agent[] = []): SeatReport[] {
  const sitters = sittersOf(room)
  return room.seats.map((seat) => ({
    ...reportSeat(room, room.personas ?? agents, seat, now),
    ...(seat.place !== undefined &&
      seat.replacedBy === undefined && {
        neighbours: neighboursOf(room, seat, sitters).map(({ alias }) => alias),
      }),
  }))
}

const reportAgent = (personas: readonly Agent[], { agentId, pending, used }: AgentPart): AgentReport => ({
  agentId,
  name: personas.find(({ id }) => id === agentId)?.name ?? agentId,
  pending: pending && { turnId: pending.turnId, cause: pending.cause, dueAt: pending.dueAt },
  used: { calls: used.calls, tokens: used.tokens, money: used.money },
})

function reportSeat(room: RoomState, personas: readonly Agent[], seat: Seat, now: number): SeatReport {
  const position = positionIn(room, seat.flow ?? room.flow)
  return {
    participantId: seat.participantId,
    alias: seat.alias,
    role: seat.role,
    condition: conditionIn(room, seat),
    status: seat.status,
    presence: seat.presence.kind,
    awaySince: seat.presence.kind === 'away' ? seat.presence.since : null,
    outcome: seat.outcome,
    ready: seat.here.ready,
    answered: Object.keys(seat.here.answers),
    ...position,
    agent: seat.agent ? reportAgent(personas, seat.agent) : null,
    timeInStateMs: position.enteredAt === null ? null : Math.max(0, now - position.enteredAt),
    variables: { ...seat.variables },
  }
}

function positionIn(room: RoomState, flow: FlowState | null) {
  const step = room.status.kind === 'ended' ? undefined : flow?.steps[flow.position]
  return step && flow
    ? { stateId: step.stateId, enteredAt: flow.enteredAt, deadlineAt: flow.deadlineAt }
    : { stateId: null, enteredAt: null, deadlineAt: null }
}
