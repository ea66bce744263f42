import type { Agent, AgentOutcome } from '@atrium/contract'
import type { Value } from '@atrium/expressions'
import type { Assignment } from '@atrium/flow'
import type { OverQuota, Quota } from '../../kernel/quota.ts'
import type { MatchRecord } from '../../ports/waiting-queue.ts'
import type { EventToStore } from '../events/index.ts'
import type { Carried } from './model/carried.ts'
import type { Departure, RoomState } from './model/room-state.ts'
import type { RecordedMoment } from './model/turn.ts'

export interface Member {
  participantId: string
  role: string
  /** RM193: what the study reads of what they joined with; absent where it reads nothing. */
  metadata?: Record<string, Value>
  /** R68: what they bring from the stages before; absent in the first. */
  carried?: Carried
}

export interface RoomRecord {
  roomId: string
  experimentId: string
  revision: number
  /** R68: null for the first. */
  stage: string | null
  podId: string
  /** Raised whenever an instance claims the room; a write under an older epoch is refused. */
  epoch: number
  seed: string
  ordinal: number
  closedAt: number | null
  /** No instance holds it: it rests, or has not begun. */
  isAsleep: boolean
  members: Member[]
  /** Seats that were given to agents when the group was matched. */
  agents: AgentSeat[]
  /** Of a pilot: its agents; null in a room for people. */
  personas: Agent[] | null
  /** RM150: null until the room begins, where nothing is assigned, and in rooms that began before this was stored. */
  assignment: Assignment | null
}

export interface AgentSeat {
  role: string
  /** Of a pilot; else the definition says which agent fills the seat. */
  agentId?: string
}

export interface LoggedAction {
  seq: number
  at: number
  /** JSON of the action. */
  action: string
}

/** An action, and what takes its place when the room is replayed. */
export interface ReplayableAction extends LoggedAction {
  /** RM141: JSON; null unless somebody was deleted from the room. */
  replay: string | null
}

/** One action of a room to be logged, with what it adds to the participants' own records. */
export interface RoomAppend {
  roomId: string
  epoch: number
  seq: number
  at: number
  action: string
  actor: string
  actionId: string | null
  /** R55: the number with which a participant's action is acknowledged. */
  answer?: number
  /** The room no longer remembers all actions of this participant: the store must check whether this is a repeat. */
  mayBeRepeat?: boolean
  records: RoomAppendRecord[]
  /** What its participant may store; absent for what is never refused. */
  quota?: Quota
  /** Set when this action changed it. */
  status: RoomState['status'] | null
  /** R52: the outcomes that were decided with this action. */
  decisions: Decision[]
  /** R68: who goes on to another stage; absent when it is nobody. */
  onward?: Onward[]
  /** R89: whom the room does not wait for any more, or again, where that matters; absent when it is nobody. */
  absences?: Absence[]
  /** Set when the room is opened and has a condition. */
  condition: string | null
  /** Set when the room is opened and people do not have theirs in the order of joining. */
  aliases?: { participantId: string; alias: string }[]
  /** Agents that take part from this action on; absent when there are none. */
  seated?: SeatedAgent[]
  /** R45: the calls of the model that led to this action; absent when there were none. */
  calls?: AgentCall[]
}

/** R68 */
export interface Onward {
  participantId: string
  stage: string
  /** JSON */
  carried: string
}

export interface Absence {
  participantId: string
  isDropped: boolean
}

export interface SeatedAgent {
  participantId: string
  experimentId: string
  agentId: string
  alias: string
  /** Null for a mediator. */
  role: string | null
}

/** R45: a call of a model, as data. The key of the model server is in none of it. */
export interface AgentCall {
  callId: string
  experimentId: string
  roomId: string
  participantId: string
  agentId: string
  credentialId: string | null
  turnId: string
  cause: string
  /** Where the agent was; null where it was in no state, and for a mediator of people with their own pace. */
  stateId: string | null
  round: number | null
  /** 1 for the first call of a turn. */
  attempt: number
  outcome: AgentOutcome
  askedAt: number
  /** Null when nothing was asked. */
  latencyMs: number | null
  usage: { promptTokens: number; completionTokens: number } | null
  money: number
  /** The server reported no usage; null where no model was asked, as are the next three. */
  costIsEstimated: boolean | null
  /** As asked for. */
  model: string | null
  sampling: AgentSampling | null
  /** As the server calls what has answered; null where it does not say. */
  servedModel: string | null
  promptHash: string | null
  /** JSON */
  request: string | null
  /** JSON */
  reply: string | null
  error: string | null
}

export interface AgentSampling {
  temperature?: number
  topP?: number
  maxTokens: number
  seed?: number
}

/** The participant ids of agents are made by the room, from its own id. */
export const agentParticipantPrefix = 'agent_'
export const isAgentParticipant = (participantId: string): boolean =>
  participantId.startsWith(agentParticipantPrefix)

export interface Decision {
  participantId: string
  outcome: string
  /** R56: it was decided so early that their place is free for somebody else. */
  givesPlaceBack: boolean
  /** Where the client decides, a transition that it has recorded keeps the place as well. */
  decidedBy: 'room' | 'client'
  /** R92: absent for those who completed. */
  departure?: Departure
}

export interface RoomAppendRecord {
  participantId: string
  event: RecordedEvent
  moment?: RecordedMoment
}

interface RecordedEvent extends EventToStore {
  round: number | null
  visit: number | null
}

/** RM141: what replaces an action when the room is replayed, as JSON. */
export interface ReplayedAction {
  seq: number
  replay: string
}

/** R48: a room without somebody who was deleted. */
export interface RewrittenRoom extends StoredSnapshot {
  /** Null where nobody can tell any more how the room looked without them. */
  replay: ReplayedAction[] | null
}

export interface StoredSnapshot {
  roomId: string
  epoch: number
  /** The last action in it. */
  seq: number
  /** JSON of the durable state after that action. */
  state: string
}

/** `repeated`: applied before and not stored again. The answer is null when a server before migration 0013 stored it. */
export type RoomAppendOutcome =
  | { kind: 'stored' }
  | { kind: 'fenced' }
  | { kind: 'repeated'; answer: number | null }
  | { kind: 'over_quota'; over: OverQuota }

/** A room at the moment it was claimed. */
export interface ClaimedRoom extends RoomRecord {
  /** Whether it was asleep before. */
  wasAsleep: boolean
  /** Members who have completed: the room does not wait for them, whatever the log says. */
  completed: CompletedMember[]
  /** Members who have withdrawn their consent and have not completed. */
  withdrawn: string[]
}

/** Members of a room who will not come back, whatever its log says. */
export type Departures = Pick<ClaimedRoom, 'completed' | 'withdrawn'>

export interface CompletedMember {
  participantId: string
  outcome: string
}

/** A room to be put to rest. */
export interface Rest {
  roomId: string
  epoch: number
  /** When the clock will next change it; null when nothing is due. */
  dueAt: number | null
  now: number
}

/** `closed`: everyone has completed in the meantime, and the room has ended. */
export type RestOutcome = 'resting' | 'closed' | 'fenced'

/** A resting room and its deadline; also a cursor into the list of these. */
export interface DueRoom {
  roomId: string
  dueAt: number
}

export interface NewRoom {
  roomId: string
  experimentId: string
  podId: string
  /** With the role that each takes; null to keep the one they have. */
  members: { participantId: string; role: string | null }[]
  agents: AgentSeat[]
  /** How the members were matched; absent where a researcher put them together. */
  match?: MatchRecord
  now: number
}

/** `unfit` lists those who cannot be seated: gone, done, without required consent, in another room, or of another revision. */
export type Creation = { kind: 'created' } | { kind: 'unfit'; participantIds: string[] }

/** A cursor into the list of an experiment's rooms. */
interface RoomCursor {
  createdAt: number
  roomId: string
}

export interface RoomListing {
  experimentId: string
  openOnly: boolean
  /** Only rooms after this cursor, which are older. */
  before: RoomCursor | null
  limit: number
  now: number
}

export interface ListedRoom extends RoomCursor {
  revision: number
  /** R68: null for the first. */
  stage: string | null
  podId: string
  /** Null until the room begins. */
  ordinal: number | null
  /** Null as well until the room begins, and where it was assigned before RM150. */
  condition: string | null
  restingSince: number | null
  pausedAt: number | null
  closedAt: number | null
  endReason: string | null
  /** With those who have gone on to another stage. */
  participants: number
  /** Those of them who have not completed and whose session is valid. */
  active: number
  /** Seats of agents. */
  agents: number
  /** A pilot. */
  synthetic: boolean
}

/** An open room, as the monitor looks at it every second. */
export interface OpenRoom {
  roomId: string
  revision: number
  /** R68: null for the first. */
  stage: string | null
  epoch: number
  /** Null until the room begins. */
  ordinal: number | null
  restingSince: number | null
  pausedAt: number | null
  /** The newest action in its log; 0 for none. */
  lastSeq: number
}

/** Somebody whose strata are known now (RM207). */
export interface LateAssignment {
  experimentId: string
  revision: number
  participantId: string
  /** Their values of the participant variables among the strata. */
  strata: Readonly<Record<string, Value>>
}

/** A place in the log of a room. */
export interface LogPlace {
  roomId: string
  seq: number
}

/** An action may be 100 KB; a larger page would exceed the store's time limit. */
export const actionsPerPage = 100
/**    * Creates the room and seats the participants, if all are of one revision (R22), with a valid session, the required consent, and no
 * room yet; otherwise changes nothing. An existing room counts as created, so that this may be repeated. */
export const duePerPage = 200

export interface RoomStore {
  /**
   * Makes the room and seats the participants: all of one revision (R22), with a living session, the consent that is asked for, and no room yet.
   * Otherwise nothing is changed. A room that is there already counts as created, so that this may be repeated.
   */
  create(room: NewRoom): Promise<Creation>
  /** Pairs among these who have shared a room of the experiment before, in any participation. */
  formerPartners(experimentId: string, participantIds: string[]): Promise<[string, string][]>
  find(roomId: string): Promise<RoomRecord | undefined>
  /** Newest first. */
  list(listing: RoomListing): Promise<ListedRoom[]>
  /** Those that are open, newest first. */
  open(experimentId: string, limit: number): Promise<OpenRoom[]>
  /** What was said and answered in rooms after these places, the newest first. */
  wordsAfter(places: LogPlace[], limit: number): Promise<(LoggedAction & { roomId: string })[]>
  /** Claims the room for an instance and wakes it: raises the epoch and, the first time, assigns its ordinal, condition and orders. */
  claim(roomId: string, podId: string, seed: string): Promise<ClaimedRoom | undefined>
  /** Claims a room that is asleep and stays asleep. Undefined when there is none, or when it is awake or has ended. */
  claimAsleep(roomId: string, seed: string, now: number): Promise<ClaimedRoom | undefined>
  /** RM207: assigns somebody their condition; null where every condition is full. */
  assignCondition(late: LateAssignment): Promise<string | null>
  /** Puts the room to rest, if it is still under this epoch. */
  rest(rest: Rest): Promise<RestOutcome>
  departures(roomId: string): Promise<Departures>
  /** What the members of a room joined with, by their ids. */
  /** R68: what somebody takes along to the stage that they wait for. */
  variablesOf(participantId: string): Promise<Readonly<Record<string, Value>>>
  metadataOf(roomId: string): Promise<Map<string, Record<string, unknown>>>
  /** A page of the resting rooms whose deadline has passed, in order. */
  due(now: number, after: DueRoom | null): Promise<DueRoom[]>
  /** Number of rooms held by instances, and of people seated in them, in total. */
  countAwake(): Promise<{ rooms: number; participants: number }>
  /** The newest snapshot, and the first page of the log after it. */
  load(roomId: string): Promise<{ snapshot: { seq: number; state: string } | null; actions: LoggedAction[] }>
  /** The next page of the log; one shorter than `actionsPerPage` is the last. */
  actionsAfter(roomId: string, seq: number): Promise<ReplayableAction[]>
  append(appends: RoomAppend[]): Promise<RoomAppendOutcome[]>
  /** R55: the answer to an action, null when it is not known; undefined when the action is not in the log. */
  firstAnswer(roomId: string, actor: string, actionId: string): Promise<number | null | undefined>
  /** Does nothing when the room has been claimed since, or when there is a newer snapshot. Appends do not wait for it. */
  saveSnapshot(snapshot: StoredSnapshot): Promise<void>
  /** Some of the rooms that are awake, but on none of these instances. */
  orphans(alivePodIds: string[]): Promise<string[]>
  /** Rooms that the store has as awake on this instance; their timers must be armed again. */
  openRoomsOf(podId: string): Promise<string[]>
}
