import { type AgentMoves, mediatorPerception, type Perception, perceptionOf } from '@atrium/agent-protocol'
import type { Agent, ExperimentDefinition, MessageView, State } from '@atrium/contract'
import { chatsOf, movesOfMediator, movesOfSeat } from './agent-moves.ts'
import type { AgentUse, Mediator, PendingTurn } from './agent-part.ts'
import { personaOf } from './agents-in-room.ts'
import type { Blueprint } from './blueprint.ts'
import { conditionForModel } from './condition-shown.ts'
import { isStillIn, viewersOf } from './room-audience.ts'
import type { FlowState, RoomState, Seat } from './room-state.ts'
import { latestEndFor, latestEndOf } from './time-limits.ts'
import { workFor } from './turn.ts'
import { scopeFor } from './variables.ts'
import { snapshotFor } from './view.ts'
import { flowOf, stateOf } from './visible-components.ts'

/** Everything that is needed to ask an agent for its pending turn. */
export interface AgentView {
  turn: PendingTurn
  experimentId: string
  definition: ExperimentDefinition
  persona: Agent
  moves: AgentMoves
  perception: Perception
  /** Undefined where the agent is in no state. */
  state: State | undefined
  round: number | null
  deadlineAt: number | null
  isMediator: boolean
  /** According to the room, which knows of no calls that led to no action. */
  used: AgentUse
  isPilot: boolean
  /** RM172: it is hidden among people. */
  isBlended: boolean
  /** Messages that it has written in this visit. */
  saidSoFar: number
  /** Number of messages in the room now. */
  seenMessages: number
  /** For everything that is drawn for it. */
  seed: string
}

/** Undefined when no turn of this agent is pending. */
export function agentViewOf(
  room: RoomState,
  blueprint: Blueprint,
  participantId: string,
  now: number,
): AgentView | undefined {
  const seat = room.seats.find((one) => one.participantId === participantId)
  const mediator = room.mediators?.find((one) => one.participantId === participantId)
  const agent = seat?.agent ?? mediator?.agent
  const persona = agent && personaOf(room, blueprint, agent)
  if (!agent?.pending || !persona || room.status.kind !== 'running') return undefined
  const common = {
    turn: agent.pending,
    experimentId: room.experimentId,
    definition: blueprint.definition,
    persona,
    used: agent.used,
    isPilot: room.personas !== undefined,
    isBlended: room.isBlended === true,
    saidSoFar: agent.here.messages,
    seenMessages: room.messageCount,
    seed: `${room.seed} ${participantId}`,
  }
  const facts = {
    definition: blueprint.definition,
    agent: persona,
    turnId: agent.pending.turnId,
    memory: agent.memory ?? [],
  }
  if (mediator) return { ...common, ...mediated(room, blueprint, mediator, facts, now) }
  return seat && { ...common, ...seated(room, blueprint, seat, facts, now) }
}

type Facts = Omit<Parameters<typeof perceptionOf>[0], 'snapshot' | 'moves'>

function seated(room: RoomState, blueprint: Blueprint, seat: Seat, facts: Facts, now: number) {
  const moves = movesOfSeat(room, blueprint, seat)
  const flow = flowOf(room, seat)
  const seen = snapshotFor(room, blueprint, seat.participantId, now)
  const state = stateOf(blueprint, flow)?.state
  const snapshot = {
    ...seen,
    condition: seen.condition ?? conditionForModel(room, seat, blueprint, facts.agent, state),
    messages: seen.messages.filter(isStillConsented(room)),
  }
  return {
    moves,
    perception: perceptionOf({ ...facts, snapshot, moves }),
    state,
    round: roundOf(flow),
    deadlineAt: flow && latestEndFor(seat, flow),
    isMediator: false,
  }
}

const roundOf = (flow: FlowState | null): number | null => flow?.steps[flow.position]?.round ?? null

/** RM97: what somebody wrote is sent to no model after they have withdrawn their consent. */
function isStillConsented({ seats }: RoomState): (message: MessageView) => boolean {
  const withdrawn = seats.filter(({ outcome }) => outcome === 'NO_CONSENT').map(({ alias }) => alias)
  return ({ from }) => !withdrawn.includes(from)
}

/** A mediator perceives the state of those who see its chat, and of people only what the experiment lets it see. */
function mediated(room: RoomState, blueprint: Blueprint, mediator: Mediator, facts: Facts, now: number) {
  const moves = movesOfMediator(room, blueprint, mediator)
  const present = room.seats.filter(isStillIn)
  const [reader] = chatsOf(blueprint)
    .filter(({ component }) => facts.agent.mediates?.includes(component.id))
    .flatMap((chat) => viewersOf(room, blueprint, chat))
  const shared = room.flow && reader ? snapshotFor(room, blueprint, reader.participantId, now).state : null
  const valuesFor = (seat: Seat | null): Record<string, unknown> => {
    const flow = seat ? flowOf(room, seat) : room.flow
    const scope = scopeFor(room, blueprint, { seat, flow, work: workFor(room.seats.length) })
    return Object.fromEntries(
      (facts.agent.sees ?? []).flatMap((name) => {
        const isOwn = blueprint.variables.get(name)?.scope === 'participant'
        return isOwn === (seat !== null) ? [[name, scope.variable(name) ?? null]] : []
      }),
    )
  }
  const state = stateOf(blueprint, room.flow)?.state
  const view = {
    experimentId: room.experimentId,
    condition: conditionForModel(room, null, blueprint, facts.agent, state),
    serverTime: now,
    participantId: mediator.participantId,
    alias: mediator.alias,
    state: shared,
    participants: present.map((seat) => ({
      alias: seat.alias,
      role: seat.role,
      status: seat.status,
      variables: valuesFor(seat),
    })),
    variables: valuesFor(null),
    messages: room.messages.map(({ message }) => message).filter(isStillConsented(room)),
  }
  return {
    moves,
    perception: mediatorPerception({ ...facts, room: view, moves }),
    state,
    round: roundOf(room.flow),
    deadlineAt: room.flow && latestEndOf(room.flow),
    isMediator: true,
  }
}
