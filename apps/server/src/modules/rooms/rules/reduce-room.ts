import type { ExperimentDefinition } from '@atrium/contract'
import { assignCondition, isSpent, planSteps } from '../../flow/index.ts'
import { recordOpening } from '../model/assignment-record.ts'
import type { Blueprint } from '../model/blueprint.ts'
import { recordComputed } from '../model/computed-record.ts'
import { abandonmentOf } from '../model/deadlines.ts'
import type { RoomAction } from '../model/room-action.ts'
import { emptyVisit, type FlowState, type RoomState, type Seat } from '../model/room-state.ts'
import {
  beginTurn,
  type Emitted,
  type ParticipantRecord,
  Refusal,
  seatOf,
  type Turn,
  workPerSeat,
} from '../model/turn.ts'
import { initialVariables, tellComputed } from '../model/variables.ts'
import type { AgentSeat, Member } from '../rooms.store.ts'
import { control } from './control.ts'
import { participate } from './participation.ts'
import { completeSeat, connect, disconnect, dropOverdue, endForAll, restoreSeat } from './presence.ts'
import { enterFrom, settle, unitsOf } from './progress.ts'

export type Reduction =
  | { kind: 'applied'; room: RoomState; emitted: Emitted[]; records: ParticipantRecord[] }
  | { kind: 'repeated'; seq: number }
  | { kind: 'refused'; refusal: Refusal }

/** `(state, action, now) → state + what to tell + what to record`. No clock, no socket, no database in here. */
export function reduceRoom(
  state: RoomState,
  action: RoomAction,
  now: number,
  blueprint: Blueprint,
): Reduction {
  const repeated = earlierSeq(state, action)
  if (repeated !== undefined) return { kind: 'repeated', seq: repeated }
  const turn = beginTurn(state, blueprint, now, actorOf(action))
  try {
    apply(turn, action)
    settle(turn)
    tellComputed(turn, state)
    endIfSpent(turn)
    recordComputed(turn, state)
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error }
    throw error
  }
  return { kind: 'applied', room: turn.room, emitted: turn.emitted, records: turn.records }
}

/** The participant whose doing it is, if it is one's. */
const actorOf = (action: RoomAction): string | null =>
  'participantId' in action && !('by' in action) ? action.participantId : null

/** RM62: why such a room has ended. */
export const tooMuchWork = 'too_much_work'

/** Nobody is left waiting in a room that cannot go on, and the next action does not try it all again. */
function endIfSpent(turn: Turn): void {
  if (isSpent(turn.work) && turn.room.status.kind !== 'ended') endForAll(turn, tooMuchWork, 'TECHNICAL')
}

/** The number that an action was acknowledged with when it came before. */
export function earlierSeq(state: RoomState, action: RoomAction): number | undefined {
  if (!('actionId' in action)) return undefined
  const seat = state.seats.find((one) => one.participantId === action.participantId)
  return seat?.recent.find(({ actionId }) => actionId === action.actionId)?.seq
}

/** What an action that was just applied is acknowledged with: the same as any repeat of it, whatever else came of it. */
export const answerTo = (state: RoomState, action: RoomAction): number =>
  earlierSeq(state, action) ?? state.seq

function apply(turn: Turn, action: RoomAction): void {
  switch (action.type) {
    case 'opened':
      open(turn, action.members, action.agents ?? [])
      break
    case 'connected':
      connect(turn, action.participantId)
      break
    case 'disconnected':
      disconnect(turn, seatOf(turn, action.participantId))
      break
    case 'restored':
      for (const seat of turn.room.seats) restoreSeat(turn, seat)
      break
    case 'tick':
      passTime(turn)
      break
    case 'completed':
      completeSeat(turn, seatOf(turn, action.participantId), action.outcome)
      break
    case 'submit_response':
    case 'send_message':
    case 'ready':
    case 'leave':
      participate(turn, action)
      break
    default:
      control(turn, action)
  }
}

/** What the clock alone brings about. States whose time is over are ended by `settle`. */
function passTime(turn: Turn): void {
  if (turn.room.status.kind === 'ended') return
  dropOverdue(turn)
  const abandonedAt = abandonmentOf(turn.room)
  if (abandonedAt !== null && abandonedAt <= turn.now) endForAll(turn, 'abandoned', 'ABANDONED')
}

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
export function emptyRoom(origin: RoomOrigin, blueprint: Blueprint): RoomState {
  const { roomId, experimentId, revision, seed, ordinal } = origin
  return {
    ...{ roomId, experimentId, revision, seed, ordinal },
    condition: conditionOf(blueprint.definition, origin),
    status: { kind: 'running' },
    seq: 0,
    variables: initialVariables(blueprint, 'room'),
    flow: null,
    seats: [],
    messages: [],
    messageCount: 0,
  }
}

/** Everyone gets a seat, and the first state begins. They are away until their sockets are there. */
function open(turn: Turn, members: readonly Member[], agents: readonly AgentSeat[]): void {
  const { room, blueprint, now } = turn
  const isShared = blueprint.pacing === 'room'
  const people = members.map((member, index) => newSeat(turn, member, index, isShared))
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

/** A seat that is kept for an agent. The others do not wait for it: it takes part once an agent plays it. */
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
