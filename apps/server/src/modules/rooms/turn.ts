import type { ErrorCode, RoomEvent } from '@atrium/contract'
import { boundedWork, usualWork, type Value, type Work } from '../flow/index.ts'
import type { Blueprint } from './blueprint.ts'
import { type Audience, audienceOf } from './room-audience.ts'
import type { RoomState, Seat } from './room-state.ts'

/** What a participant's own record receives from a room: one line among their other events. */
export interface ParticipantRecord {
  participantId: string
  type: string
  stateId: string | null
  componentId: string | null
  /** Where the participant was; null when no state was open. */
  round: number | null
  visit: number | null
  timestamp: number
  data: Record<string, unknown>
  /** It concerns the room: should this participant's record be closed, another member's takes it. */
  isRoomWide?: true
}

/** Why a variable has another value than before. */
export type ChangeCause = 'initial' | 'saveTo' | 'onEnter' | 'onEnd' | 'compute'

/** One of the changes in a `variables_changed` row. */
interface Change {
  variable: string
  cause: ChangeCause
  /** Absent when it is too long to be kept twice; then `length` says how long. */
  value?: Value
  length?: number
}

export interface ChangesRow {
  row: ParticipantRecord
  data: { changes: Change[]; omitted?: number }
}

/** The rows of an action, by whose variables they are about, and what may still go into them. */
interface VariableRecord {
  rows: Map<Seat | 'room', ChangesRow>
  charactersWritten: number
  /** Comparing is for the record alone: it must not use up what the rules may still cost (RM62). */
  comparing: Work
}

export interface Emitted {
  audience: Audience
  event: RoomEvent
}

type Distribute<Event> = Event extends unknown ? Omit<Event, 'seq' | 'at'> : never
type EventBody = Distribute<RoomEvent>

/** An action that is not applied; nothing changes. */
export class Refusal extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * One action being worked out. `room` and its seats are fresh copies that the rules may assign to; anything
 * deeper is shared with the state before and is replaced, never changed.
 */
export interface Turn {
  readonly room: RoomState & { seats: Seat[] }
  readonly blueprint: Blueprint
  readonly now: number
  /** The participant whose action it is. */
  readonly actorId: string | null
  readonly emitted: Emitted[]
  readonly records: ParticipantRecord[]
  /** RM62: what this action may still cost. */
  readonly work: Work
  /** Variables that were copied in this turn and may therefore be changed in place, by whose they are. */
  readonly copied: Map<Seat | 'room', Record<string, Value>>
  readonly variableRecord: VariableRecord
}

const comparingSteps = 50_000

const beginVariableRecord = (): VariableRecord => ({
  rows: new Map(),
  charactersWritten: 0,
  comparing: boundedWork(comparingSteps),
})

export const beginTurn = (
  state: RoomState,
  blueprint: Blueprint,
  now: number,
  actorId: string | null,
): Turn => ({
  room: { ...state, seats: state.seats.map((seat) => ({ ...seat })) },
  blueprint,
  now,
  actorId,
  emitted: [],
  records: [],
  work: workFor(state.seats.length),
  copied: new Map(),
  variableRecord: beginVariableRecord(),
})

/**
 * For the largest group five times the usual work, because what is worked out for everyone of everyone else is cheaper than
 * that; hundreds of times what an action in a room of the examples takes. May be raised, never lowered: a room that is replayed must not end where it once went on.
 */
export const workPerSeat = 1_000
export const workFor = (seats: number): Work => boundedWork(usualWork + seats * workPerSeat)

export function tellRoom(turn: Turn, event: EventBody): void {
  emit(turn, { kind: 'room' }, event)
}

/** Also those who are done: how it ended for them is the last that they hear. */
export function tellSeat(turn: Turn, { participantId }: Seat, event: EventBody): void {
  emit(turn, { kind: 'participants', participantIds: [participantId] }, event)
}

/** Those of them who are still in. */
export function tellSeats(turn: Turn, seats: readonly Seat[], event: EventBody): void {
  emit(turn, audienceOf(turn.room, seats), event)
}

function emit(turn: Turn, audience: Audience, event: EventBody): void {
  turn.room.seq++
  turn.emitted.push({ audience, event: { ...event, seq: turn.room.seq, at: turn.now } as RoomEvent })
}

/** The state that a participant is in; nowhere before the first and after the last. */
export function placeOf(
  { room }: Turn,
  seat: Seat,
): { stateId: string | null; round: number | null; visit: number | null } {
  const flow = seat.flow ?? room.flow
  const step = flow?.steps[flow.position]
  if (!flow || !step || flow.visit === 0) return { stateId: null, round: null, visit: null }
  return { stateId: step.stateId, round: step.round, visit: flow.visit }
}

export function record(
  turn: Turn,
  seat: Seat,
  type: string,
  facts: {
    stateId?: string | null
    componentId?: string | null
    timestamp?: number
    data: Record<string, unknown>
    isRoomWide?: true
  },
): void {
  const { round, visit } = placeOf(turn, seat)
  turn.records.push({
    participantId: seat.participantId,
    type,
    stateId: facts.stateId ?? null,
    componentId: facts.componentId ?? null,
    round,
    visit,
    timestamp: facts.timestamp ?? turn.now,
    data: facts.data,
    ...(facts.isRoomWide && { isRoomWide: true }),
  })
}

export function seatOf(turn: Turn, participantId: string): Seat {
  const seat = turn.room.seats.find((one) => one.participantId === participantId)
  if (!seat) throw new Refusal('NOT_FOUND', 'There is no such participant in this room.')
  return seat
}
