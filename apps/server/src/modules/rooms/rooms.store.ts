import type { EventToStore } from '../events/index.ts'

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
  members: Member[]
}

interface LoggedAction {
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
  records: { participantId: string; event: EventToStore }[]
  /** JSON of the state after this action, now and then. */
  snapshot: string | null
  /** Set when the room ended with this action. */
  closes: boolean
}

export type RoomAppendOutcome = { kind: 'stored' } | { kind: 'fenced' }

export interface NewRoom {
  roomId: string
  experimentId: string
  podId: string
  participantIds: string[]
  now: number
}

export interface RoomStore {
  /** Makes the room and seats the participants, who must have joined the same revision (R22) and have no room yet. */
  create(room: NewRoom): Promise<boolean>
  find(roomId: string): Promise<RoomRecord | undefined>
  /** Takes the room for a pod: raises the epoch and, the first time, draws its ordinal. */
  claim(roomId: string, podId: string, seed: string): Promise<RoomRecord | undefined>
  load(roomId: string): Promise<{ snapshot: { seq: number; state: string } | null; actions: LoggedAction[] }>
  append(appends: RoomAppend[]): Promise<RoomAppendOutcome[]>
  /** Rooms that this pod held and that are not closed: their deadlines must be armed again. */
  openRoomsOf(podId: string): Promise<string[]>
}
