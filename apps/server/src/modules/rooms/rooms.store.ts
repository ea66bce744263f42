import type { EventToStore } from '../events/index.ts'
import type { RoomState } from './model/room-state.ts'

export interface Member {
  participantId: string
  role: string
}

export interface RoomRecord {
  roomId: string
  experimentId: string
  revision: number
  podId: string
  /** Raised whenever a pod takes the room; a write under an older one is refused. */
  epoch: number
  seed: string
  ordinal: number
  closedAt: number | null
  /** No instance has it: it rests, or has not begun. */
  isAsleep: boolean
  members: Member[]
  /** Seats that were filled with agents when the group was matched. */
  agents: AgentSeat[]
}

export interface AgentSeat {
  role: string
}

export interface LoggedAction {
  seq: number
  at: number
  /** JSON of the action. */
  action: string
}

/** One action of a room on its way into the log, with what participants' own records receive from it. */
export interface RoomAppend {
  roomId: string
  epoch: number
  seq: number
  at: number
  action: string
  actor: string
  actionId: string | null
  /** R55: the number that a participant's action is acknowledged with. */
  answer?: number
  /** The room no longer remembers all that this participant did: the store says whether it was done before. */
  mayBeRepeat?: boolean
  records: RoomAppendRecord[]
  /** Set when it changed with this action. */
  status: RoomState['status'] | null
  /** R52: what was decided with this action, for whom. */
  decisions: Decision[]
  /** Set when the room is opened, and has one. */
  condition: string | null
}

export interface Decision {
  participantId: string
  outcome: string
  /** R56: so early that their place is free for somebody else. */
  givesPlaceBack: boolean
}

export interface RoomAppendRecord {
  participantId: string
  /** Should this participant's record be closed, that of another one with records of this action takes it. */
  isRoomWide: boolean
  event: RecordedEvent
}

interface RecordedEvent extends EventToStore {
  round: number | null
  visit: number | null
}

export interface StoredSnapshot {
  roomId: string
  epoch: number
  /** The last action in it. */
  seq: number
  /** JSON of the state after that action, which is durable. */
  state: string
}

/** `repeated`: done before and not stored again. The answer is null where a server of before 0013 has stored it. */
export type RoomAppendOutcome =
  | { kind: 'stored' }
  | { kind: 'fenced' }
  | { kind: 'repeated'; answer: number | null }

/** A room as it was taken. */
export interface ClaimedRoom extends RoomRecord {
  /** Whether it was asleep until then. */
  wasAsleep: boolean
  /** Members who have completed: nobody waits for them, whatever the log says. */
  completed: CompletedMember[]
}

export interface CompletedMember {
  participantId: string
  outcome: string
}

/** A room on its way to rest. */
export interface Rest {
  roomId: string
  epoch: number
  /** When the clock next changes it; null when nothing is due. */
  dueAt: number | null
  now: number
}

/** `closed`: everyone has completed meanwhile, and the room is over. */
export type RestOutcome = 'resting' | 'closed' | 'fenced'

/** A resting room and its deadline: also a place in the order of these. */
export interface DueRoom {
  roomId: string
  dueAt: number
}

export interface NewRoom {
  roomId: string
  experimentId: string
  podId: string
  /** With the role that each takes; null for the one they have. */
  members: { participantId: string; role: string | null }[]
  agents: AgentSeat[]
  now: number
}

/** `unfit` are those for whom there is no room: gone, done, without the consent that is asked for, in another room, or of another revision than the rest. */
export type Creation = { kind: 'created' } | { kind: 'unfit'; participantIds: string[] }

/** A place in the list of an experiment's rooms. */
export interface RoomPlace {
  createdAt: number
  roomId: string
}

export interface RoomListing {
  experimentId: string
  openOnly: boolean
  /** Only rooms that come after it, which is: older ones. */
  before: RoomPlace | null
  limit: number
  now: number
}

export interface ListedRoom extends RoomPlace {
  revision: number
  podId: string
  /** Null until the room begins. */
  ordinal: number | null
  restingSince: number | null
  pausedAt: number | null
  closedAt: number | null
  endReason: string | null
  participants: number
  /** Of these, who have not completed and whose session is alive. */
  active: number
  agents: number
}

/** An action may be 100 KB: more at once than this would take the store longer than its patience. */
export const actionsPerPage = 100
/** Rooms whose deadline has come, at once. */
export const duePerPage = 200

export interface RoomStore {
  /**
   * Makes the room and seats the participants: all of one revision (R22), with a living session, the consent that is asked for, and no room yet.
   * Otherwise nothing is changed. A room that is there already counts as created, so that this may be repeated.
   */
  create(room: NewRoom): Promise<Creation>
  /** Pairs among these whose persons have shared a room of the experiment before, in any participation. */
  formerPartners(experimentId: string, participantIds: string[]): Promise<[string, string][]>
  find(roomId: string): Promise<RoomRecord | undefined>
  /** Newest first. */
  list(listing: RoomListing): Promise<ListedRoom[]>
  /** Takes the room for a pod, and wakes it: raises the epoch and, the first time, draws its ordinal. */
  claim(roomId: string, podId: string, seed: string): Promise<ClaimedRoom | undefined>
  /** The same of a room that is asleep and stays so. Undefined when there is none, or when it is awake or over. */
  claimAsleep(roomId: string, seed: string, now: number): Promise<ClaimedRoom | undefined>
  /** Lets the room rest, if it is still under this epoch. */
  rest(rest: Rest): Promise<RestOutcome>
  /** Members of the room who have completed. */
  completedIn(roomId: string): Promise<CompletedMember[]>
  /** A page of the resting rooms whose deadline has come, in order. */
  due(now: number, after: DueRoom | null): Promise<DueRoom[]>
  /** Rooms that instances hold, and the people who have a seat in them: all of them together. */
  countAwake(): Promise<{ rooms: number; participants: number }>
  /** The newest snapshot, and the first page of the log after it. */
  load(roomId: string): Promise<{ snapshot: { seq: number; state: string } | null; actions: LoggedAction[] }>
  /** The next page of the log; when it is shorter than a page may be, it is the last one. */
  actionsAfter(roomId: string, seq: number): Promise<LoggedAction[]>
  append(appends: RoomAppend[]): Promise<RoomAppendOutcome[]>
  /** R55: what an action was answered, null when that is not known; undefined when it is not in the log. */
  firstAnswer(roomId: string, actor: string, actionId: string): Promise<number | null | undefined>
  /** Does nothing when the room has been claimed since, or when there is a newer one. Nothing that is appended waits. */
  saveSnapshot(snapshot: StoredSnapshot): Promise<void>
  /** Some of the rooms that are awake on none of these pods. */
  orphans(alivePodIds: string[]): Promise<string[]>
  /** Rooms that are awake on this pod, by what is stored: their deadlines must be armed again. */
  openRoomsOf(podId: string): Promise<string[]>
}
