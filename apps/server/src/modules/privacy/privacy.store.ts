import type { ExportPage } from '../events/index.ts'
import type { RewrittenRoom } from '../rooms/index.ts'

/** A participant of an experiment. */
export interface PersonRef {
  experimentId: string
  participantId: string
}

export interface FoundPerson {
  sessionIds: string[]
  /** That they joined. */
  revision: number
  condition: string | null
  /** All that they have been in, in order. */
  roomIds: string[]
  /** Those of them in which other people have or had a seat, in the same order. */
  sharedRoomIds: string[]
}

/** Where an export of one person has come to. `isFirst`: nothing of the part has been read. */
export type PersonPosition =
  | { part: 'events'; streamNo: number; seq: number; isFirst: boolean }
  | { part: 'roomActions'; stay: number; seq: number; isFirst: boolean }
  | { part: 'agentTurns'; askedAt: number; callId: string; isFirst: boolean }

export interface Erasure extends PersonRef {
  /** For the audit, which never names the person. */
  actor: string
  now: number
  /** Who asked: a researcher, the participant, or the definition with its `identityDays`. */
  requestedBy: 'researcher' | 'participant' | 'identityDays'
}

export interface WholeErasure extends Erasure {
  /** Theirs before they were removed from any room. */
  condition: string | null
  /** Stands for the person in what others did. */
  erasedId: string
  /** The one shared room that still has them, without them; null if there is none. */
  room: RewrittenRoom | null
}

export interface RoomErasure extends PersonRef {
  erasedId: string
  room: RewrittenRoom
}

export interface PrivacyStore {
  /** `erased` if they were deleted. */
  find(person: PersonRef): Promise<FoundPerson | 'erased' | undefined>
  /** The next part of everything known of the person, as JSON. */
  page(person: PersonRef, after: PersonPosition | null): Promise<ExportPage<PersonPosition>>
  /** Ends their active sessions; with `withdraws`, their room lets them go. Returns all their sessions. */
  endParticipation(person: PersonRef & { now: number; withdraws: boolean }): Promise<string[]>
  /** Forgets who they are. False if it is forgotten already or, for `identityDays`, not due any more. */
  sever(erasure: Erasure): Promise<boolean>
  /** R94: some of the people whose identity is to be forgotten by now, because their study says so. */
  identitiesDue(now: number): Promise<PersonRef[]>
  /** R68: removes them from a shared room of an earlier stage, which is none of theirs from then on. */
  eraseFromRoom(erasure: RoomErasure): Promise<'erased' | 'room_changed'>
  /** Deletes them. `room_changed`: nothing is written, because the room has moved on or others have come. */
  erase(erasure: WholeErasure): Promise<'erased' | 'room_changed'>
  /** Removes what was deleted from the files of the database, as far as the engine lets us. */
  purge(): Promise<void>
}
