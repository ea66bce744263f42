import type { AnswerSource, ClockReport, ErrorCode, EventFlag, RoomEvent } from '@atrium/contract'
import { boundedWork, usualWork, type Value, type Work } from '@atrium/expressions'
import type { Blueprint } from './blueprint.ts'
import { isNeighbour } from './network.ts'
import type { PlaybackPush } from './playback.ts'
import { type Audience, audienceOf, type Emitted, isStillIn } from './room-audience.ts'
import type { RoomState, Seat } from './room-state.ts'

/** A line that a room adds to a participant's own record, among their other events. */
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
  /** RM165: absent where the room acted, and where the page did not say when by its clock. */
  moment?: RecordedMoment
  flags?: EventFlag[]
}

/** When a participant did something, by their own clock. */
export interface RecordedMoment {
  clientTime: number
  /** By the room's clock: they did it after this. */
  seenAt?: number
  reported?: ClockReport
}

type WithoutNumber<Event> = Event extends unknown ? Omit<Event, 'seq' | 'at'> : never
type EventBody = WithoutNumber<RoomEvent>

/** Thrown for an action that is not applied; nothing changes. */
export class Refusal extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Why a variable changed. */
export type ChangeCause = 'initial' | 'inherited' | 'saveTo' | 'onEnter' | 'onEnd' | 'compute' | 'draw'

/** One of the changes in a `variables_changed` row. */
interface Change {
  variable: string
  cause: ChangeCause
  /** Absent when it is too long to be kept twice; then `length` says how long it is. */
  value?: Value
  length?: number
}

export interface ChangesRow {
  row: ParticipantRecord
  data: { changes: Change[]; omitted?: number }
}

/** The `variables_changed` rows of an action, by whose variables they are about. */
interface VariableRecord {
  rows: Map<Seat | 'room', ChangesRow>
  charactersWritten: number
  /** Comparing serves the record alone, so it must not use up the work of the rules (RM62). */
  comparing: Work
}

/**
 * One action in progress. `room` and its seats are fresh copies that the rules may assign to; anything deeper is shared
 * with the state before and is replaced, never changed.
 */
export interface Turn {
  readonly room: RoomState & { seats: Seat[] }
  readonly blueprint: Blueprint
  readonly now: number
  /** The participant who acts; null when the server or a researcher does. */
  readonly actorId: string | null
  /** R88: whose answers the rules take now; null in a turn of an agent that was logged before this was recorded. */
  answerSource: AnswerSource | null
  readonly emitted: Emitted[]
  readonly records: ParticipantRecord[]
  /** R27: what is sent on `/sync`. Not numbered, because a client needs only the newest. */
  readonly played: PlaybackPush[]
  /** RM62: what this action may still cost. */
  readonly work: Work
  /** RM131: what writing texts, for everyone together, may still cost in this action. */
  readonly textWork: Work
  /** Variables that were copied in this turn and may therefore be changed in place, by whose they are. */
  readonly copied: Map<Seat | 'room', Record<string, Value>>
  readonly variableRecord: VariableRecord
}

const comparingSteps = 50_000

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
  answerSource: 'person',
  emitted: [],
  records: [],
  played: [],
  work: workFor(state.seats.length),
  textWork: workForTexts(state.seats.length),
  copied: new Map(),
  variableRecord: { rows: new Map(), charactersWritten: 0, comparing: boundedWork(comparingSteps) },
})

/**
 * Five times the usual work for the largest group, because evaluating something for everyone about everyone else is
 * cheaper than that; hundreds of times what an action takes in the example experiments. May be raised, never lowered: a
 * replayed room must not end where it once went on.
 */
export const workPerSeat = 1_000
export const workFor = (seats: number): Work => boundedWork(usualWork + seats * workPerSeat)

/**
 * Some 30 ms. A group of 50 that sees ten lists of what everybody gave takes half of it. A page of 500 with ten means of what
 * the others gave takes 600,000 steps; what follows from spent work decides something only in groups that are smaller than those
 * which get more (RM131).
 */
export const workForTexts = (seats: number): Work => boundedWork(600_000 + Math.max(0, seats - 100) * 2_000)

export function emitToRoom(turn: Turn, event: EventBody): void {
  emit(turn, { kind: 'room' }, event)
}

/** RM249: what concerns somebody reaches everyone; in a network, only themselves and their neighbours. */
export function emitAbout(turn: Turn, seat: Seat, event: EventBody): void {
  const { room } = turn
  if (!room.network) {
    emitToRoom(turn, event)
    return
  }
  const hears = (one: Seat): boolean => isStillIn(one) && (one === seat || isNeighbour(room, one, seat))
  const participantIds = room.seats.filter(hears).map(({ participantId }) => participantId)
  emit(turn, { kind: 'participants', participantIds }, event)
}

/** Reaches participants who are done as well: how it ended for them is the last thing they receive. */
export function emitToSeat(turn: Turn, { participantId }: Seat, event: EventBody): void {
  emit(turn, { kind: 'participants', participantIds: [participantId] }, event)
}

/** Reaches those of them who are still in. */
export function emitToSeats(turn: Turn, seats: readonly Seat[], event: EventBody): void {
  emit(turn, audienceOf(turn.room, seats), event)
}

function emit(turn: Turn, audience: Audience, event: EventBody): void {
  turn.room.seq++
  turn.emitted.push({ audience, event: { ...event, seq: turn.room.seq, at: turn.now } as RoomEvent })
}

/** Whose record a line goes to: somebody in a seat, or a mediator. */
export type Recorded = Pick<Seat, 'participantId'> &
  Partial<Pick<Seat, 'flow' | 'role' | 'rotationPlace' | 'skips'>>

/** The visit that a participant is in; all null before the first state and after the last. */
export function visitOf(
  { room }: Turn,
  seat: Partial<Pick<Seat, 'flow'>>,
): { stateId: string | null; round: number | null; visit: number | null } {
  const flow = seat.flow ?? room.flow
  const step = flow?.steps[flow.position]
  if (!flow || !step || flow.visit === 0) return { stateId: null, round: null, visit: null }
  return { stateId: step.stateId, round: step.round, visit: flow.visit }
}

/** RM212, RM230: what says which row of a table, and which rounds of the blocks around its own, it is about. */
const inBlocks = ['state_transition', 'component_response', 'answers_missing']

/** Others are not copied: a row of changes grows after it was recorded. */
function withBlocks(
  { room }: Turn,
  seat: Recorded,
  type: string,
  data: Record<string, unknown>,
): Record<string, unknown> {
  const flow = seat.flow ?? room.flow
  const step = flow?.steps[flow.position]
  if (!step || !inBlocks.includes(type)) return data
  const { blockId, trial, within } = step
  return {
    ...data,
    ...(trial && seat.skips === undefined && { trial: { block: blockId, ...trial } }),
    ...(within && { within: within.map((one) => ({ block: one.blockId, round: one.round })) }),
  }
}

/** RM217: where roles rotate, what says in which role somebody did something. */
const inRole = ['state_transition', 'component_response', 'answers_missing', 'chat_message']

const withRole = (seat: Recorded, type: string, data: Record<string, unknown>): Record<string, unknown> =>
  seat.rotationPlace !== undefined && inRole.includes(type) ? { ...data, role: seat.role } : data

export function record(
  turn: Turn,
  seat: Recorded,
  type: string,
  facts: {
    stateId?: string | null
    componentId?: string | null
    moment?: RecordedMoment | undefined
    flags?: EventFlag[]
    data: Record<string, unknown>
  },
): void {
  const { round, visit } = visitOf(turn, seat)
  turn.records.push({
    participantId: seat.participantId,
    type,
    stateId: facts.stateId ?? null,
    componentId: facts.componentId ?? null,
    round,
    visit,
    timestamp: facts.moment?.clientTime ?? turn.now,
    data: withRole(seat, type, withBlocks(turn, seat, type, facts.data)),
    ...(facts.moment && { moment: facts.moment }),
    ...(facts.flags && { flags: facts.flags }),
  })
}

export function seatOf(turn: Turn, participantId: string): Seat {
  const seat = turn.room.seats.find((one) => one.participantId === participantId)
  if (!seat) throw new Refusal('NOT_FOUND', 'There is no such participant in this room.')
  return seat
}
