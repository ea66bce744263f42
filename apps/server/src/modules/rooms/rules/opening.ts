import { type Conditions, type ExperimentDefinition, roleIdsOf } from '@atrium/contract'
import { assignCondition } from '@atrium/flow'
import type { Blueprint } from '../model/blueprint.ts'
import { hasConditionsOfStudy } from '../model/carried.ts'
import type { RoomAction } from '../model/room-action.ts'
import { recordOpening } from '../model/room-records.ts'
import type { RoomState } from '../model/room-state.ts'
import { type Turn, workPerSeat } from '../model/turn.ts'
import { initialVariables } from '../model/variables.ts'
import { seatAgents } from './agent-seats.ts'
import { enterFrom } from './enter-state.ts'
import { endRoom, endRoomIfOver, finishSeat } from './finish.ts'
import { blendAgents } from './hidden-agents.ts'
import { newFlow, newSeat } from './new-seat.ts'
import { arrangeRotation } from './role-rotation.ts'
import { unitsOf } from './units.ts'

export interface RoomOrigin {
  roomId: string
  experimentId: string
  revision: number
  seed: string
  ordinal: number
  /** R68: null or absent for the first. */
  stage?: string | null
}

/** RM26: by the rule for rooms that began before RM150, which was a function of their position alone. */
export const conditionOf = (
  { conditions }: ExperimentDefinition,
  { experimentId, ordinal }: Pick<RoomOrigin, 'experimentId' | 'ordinal'>,
): string | null => assignCondition(conditions, conditions?.seed ?? experimentId, ordinal)

/** Rooms of a study with these settings have never been assigned by their position. */
export const isAssignedByCount = (conditions: Conditions | undefined): boolean =>
  conditions?.factors !== undefined ||
  conditions?.quotas !== undefined ||
  conditions?.per === 'participant' ||
  conditions?.strata !== undefined

/** A room before its first action. */
export const emptyRoom = (origin: RoomOrigin, blueprint: Blueprint): RoomState => ({
  roomId: origin.roomId,
  experimentId: origin.experimentId,
  revision: origin.revision,
  seed: origin.seed,
  ordinal: origin.ordinal,
  ...(origin.stage && { stage: origin.stage }),
  condition:
    origin.stage && hasConditionsOfStudy(blueprint.definition, { stage: origin.stage })
      ? null
      : conditionOf(blueprint.definition, origin),
  status: { kind: 'running' },
  seq: 0,
  variables: initialVariables(blueprint, 'room', origin.seed),
  flow: null,
  seats: [],
  messages: [],
  messageCount: 0,
})

/** Gives everyone a seat and enters the first state. Members are away until their sockets connect. */
export function openRoom(turn: Turn, opened: Omit<RoomAction<'opened'>, 'type' | 'seed' | 'ordinal'>): void {
  const { room, blueprint } = turn
  const { members, agents = [], personas, countsAbsence, assigned, blendsAgents, finishesTurns } = opened
  const isShared = blueprint.pacing === 'room'
  if (assigned) room.condition = assigned.condition
  const people = members.map((member, index) => ({
    ...newSeat(turn, member, index, { isShared, ...(assigned && { assigned }) }),
    ...(countsAbsence && { hasMissed: true }),
  }))
  if (personas) room.personas = personas
  room.seats = people
  seatAgents(turn, agents, assigned)
  if (blendsAgents) blendAgents(turn)
  if (room.isBlended && finishesTurns) room.finishesTurns = true
  arrangeRotation(turn, roleIdsOf(blueprint.definition))
  turn.work.left += room.seats.length * workPerSeat
  if (isShared) room.flow = newFlow(turn, room.seed, assigned?.rows[0])
  recordOpening(turn)
  if (assigned?.isFull) turnAway(turn)
  else for (const unit of unitsOf(turn)) enterFrom(turn, unit, 0, null)
  // A pilot in which no agent takes a seat would go on for ever.
  endRoomIfOver(turn)
}

/** RM206: every condition was full when the room began. */
function turnAway(turn: Turn): void {
  for (const seat of turn.room.seats) finishSeat(turn, seat, 'QUOTA_FULL')
  endRoom(turn, 'quota_full')
}
