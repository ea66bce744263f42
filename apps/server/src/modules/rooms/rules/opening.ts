import type { ExperimentDefinition } from '@atrium/contract'
import { assignCondition, planSteps } from '../../flow/index.ts'
import type { Blueprint } from '../model/blueprint.ts'
import type { RoomAction } from '../model/room-action.ts'
import { recordOpening } from '../model/room-records.ts'
import { emptyVisit, type FlowState, type RoomState, type Seat } from '../model/room-state.ts'
import { type Turn, workPerSeat } from '../model/turn.ts'
import { initialVariables } from '../model/variables.ts'
import type { Member } from '../rooms.store.ts'
import { enterFrom, unitsOf } from './progress.ts'

export interface RoomOrigin {
  roomId: string
  experimentId: string
  revision: number
  seed: string
  ordinal: number
}

export const conditionOf = (
  { conditions }: ExperimentDefinition,
  { experimentId, ordinal }: Pick<RoomOrigin, 'experimentId' | 'ordinal'>,
): string | null => assignCondition(conditions, conditions?.seed ?? experimentId, ordinal)

/** A room before its first action. */
export const emptyRoom = (origin: RoomOrigin, blueprint: Blueprint): RoomState => ({
  roomId: origin.roomId,
  experimentId: origin.experimentId,
  revision: origin.revision,
  seed: origin.seed,
  ordinal: origin.ordinal,
  condition: conditionOf(blueprint.definition, origin),
  status: { kind: 'running' },
  seq: 0,
  variables: initialVariables(blueprint, 'room'),
  flow: null,
  seats: [],
  messages: [],
  messageCount: 0,
})

/** Gives everyone a seat and enters the first state. Members are away until their sockets connect. */
export function openRoom(
  turn: Turn,
  { members, agents = [], countsAbsence }: Pick<RoomAction<'opened'>, 'members' | 'agents' | 'countsAbsence'>,
): void {
  const { room, blueprint, now } = turn
  const isShared = blueprint.pacing === 'room'
  const people = members.map((member, index) => ({
    ...newSeat(turn, member, index, isShared),
    ...(countsAbsence && { hasMissed: true }),
  }))
  room.seats = [...people, ...agents.map(({ role }, index) => agentSeat(turn, role, people.length + index))]
  turn.work.left += room.seats.length * workPerSeat
  if (isShared) room.flow = newFlow(turn, room.seed, now)
  recordOpening(turn, members)
  for (const unit of unitsOf(turn)) enterFrom(turn, unit, 0, null)
}

function newSeat(turn: Turn, { participantId, role }: Member, index: number, isShared: boolean): Seat {
  const { room, blueprint, now } = turn
  return {
    participantId,
    alias: `P${index + 1}`,
    role,
    status: 'active',
    outcome: null,
    presence: { kind: 'away', since: now, graceUntil: now + blueprint.dropout.graceMs },
    variables: initialVariables(blueprint, 'participant'),
    responses: {},
    here: emptyVisit,
    flow: isShared ? null : newFlow(turn, `${room.seed} ${index}`, now),
    recent: [],
  }
}

/** A seat reserved for an agent. The others do not wait for it: it takes part once an agent plays it. */
const agentSeat = (turn: Turn, role: string, index: number): Seat => ({
  ...newSeat(turn, { participantId: `agent_${index + 1}`, role }, index, true),
  status: 'agent',
  presence: { kind: 'away', since: turn.now, graceUntil: null },
})

const newFlow = ({ blueprint, room }: Turn, seed: string, now: number): FlowState => ({
  steps: planSteps(blueprint.definition, seed, room.ordinal),
  position: 0,
  visit: 0,
  taken: {},
  enteredAt: now,
  deadlineAt: null,
})
