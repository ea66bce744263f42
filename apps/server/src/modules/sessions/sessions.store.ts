import type { SessionHistoryItem, SessionStatus } from '@atrium/contract'
import type { OverQuota, Quota } from '../../kernel/quota.ts'
import type { SealingKeys } from '../../kernel/sealed.ts'
import type { ClosedReason } from './join.plan.ts'

/** R5: a person is identified by issuer and subject, never by e-mail address. */
export interface PersonKey {
  issuer: string
  subject: string
  /** R94: finds the same person where their identity is held; absent where none is. */
  marks?: readonly string[]
}

export interface SessionRecord {
  sessionId: string
  participantId: string
  experimentId: string
  revision: number
  /** The role they asked for when they joined, or got with their room. */
  role: string
  /** Null while the participant waits to be matched. */
  roomId: string | null
  /** R68: the stage that they are in, or wait for; null for the first. */
  stage: string | null
  userId: string
  /** R94: consent is required and was never given, so the database does not say who this is. */
  isHeld: boolean
  /** When the participation began; `createdAt` is when this session did. */
  joinedAt: number
  createdAt: number
  lastActivityAt: number
  expiresAt: number
  ipAddress: string
  userAgent: string
  status: SessionStatus
  metadata: Record<string, unknown>
  /** R56: whether the participation counts against the experiment's capacity. */
  holdsPlace: boolean
  /** R38: the revision that they joined requires consent. */
  needsConsent: boolean
  /** Null until consent is given. */
  consentedAt: number | null
  completion: Completion | null
}

export interface Completion {
  outcome: string
  completionCode: string
  redirectUrl: string
  /** R94: the same, for whoever completes without having given consent. */
  sealedRedirect?: string
  finalState: string | null
  completedAt: number
  /** Why a wait ended without a room; absent for everyone else. */
  waitEnded?: string
}

export interface JoinRequest {
  experimentId: string
  person: PersonKey
  role: string
  /** Roles of which one is drawn, evenly, for a new participant; `role` is used if there are none. */
  drawRoleFrom: string[]
  metadata: Record<string, unknown>
  /** R92: the language in which they read, and the version of this server. */
  language: string
  softwareVersion: string
  /** The revision for new participants. */
  revision: number
  allowRepeat: boolean
  /** R51: a guest whom the experiment does not take, unless they are in it already. */
  needsAccount: boolean
  needsConsent: boolean
  /** R94: with these, identities are held until consent is given; absent where they are stored at once. */
  sealing?: SealingKeys
  /** One-person experiments get their room at once (R17). */
  soloRoom: boolean
  quota: Quota
  /** Whether there is space for somebody new. */
  hasSpace: boolean
  podId: string
  ipAddress: string
  userAgent: string
  newIds: { sessionId: string; participantId: string; roomId: string }
  now: number
  expiresAt: number
}

export type JoinOutcome =
  | { kind: 'joined'; session: SessionRecord; revokedSessionIds: string[] }
  /** For `already_completed`, with the session that was completed. */
  | { kind: 'closed'; reason: ClosedReason; completed?: SessionRecord }
  | { kind: 'needs_account' }
  | { kind: 'not_found' }
  | { kind: 'over_quota'; over: OverQuota }
  | { kind: 'no_space' }

export interface CompleteRequest {
  sessionId: string
  completion: Completion
  claimedEvents: number | null
  duration: number | null
  requireAllEvents: boolean
  /** The revision has no such final state; recorded, never refused. */
  finalStateUnknown: boolean
  /** Only while the participant has no room: of being matched and giving up, exactly one happens. */
  unlessMatched: boolean
  /** R52: who decides the outcome. */
  decidedBy: 'room' | 'client'
  /** R52: refused unless the room has decided on this outcome. */
  needsDecision: boolean
  /** R94: with these, an identity is revealed that is held although they have consented. */
  sealing?: SealingKeys
}

export type CompleteOutcome =
  /** With the room in which they were, if they had one. */
  | { kind: 'completed'; completion: Completion; roomId: string | null }
  /** The room has decided otherwise; nothing is written. */
  | { kind: 'decided'; outcome: string }
  | { kind: 'not_finished'; roomId: string | null }
  | { kind: 'events_missing'; stored: number }
  | { kind: 'refused'; status: SessionStatus }
  | { kind: 'matched' }
  | { kind: 'not_found' }

/** A session and the participation that it belongs to. */
export interface HistoryEntry extends SessionHistoryItem {
  participantId: string
}

/** How far a walk over the sessions of one status has come. */
export interface ForgetPosition {
  expiresAt: number
  sessionId: string
}

export interface ForgetRequest {
  status: Exclude<SessionStatus, 'active'>
  after: ForgetPosition
  expiredBefore: number
}

export interface SessionStore {
  join(request: JoinRequest): Promise<JoinOutcome>
  find(sessionId: string): Promise<SessionRecord | undefined>
  /** Only those that exist, in any order. */
  findMany(sessionIds: string[]): Promise<SessionRecord[]>
  activeIdsOf(participantIds: string[]): Promise<string[]>
  /** R59: the id of the session with this pseudonym. */
  findId(pseudonym: string): Promise<string | undefined>
  /** The newest session of a person in an experiment, whatever its status. */
  findNewest(person: PersonKey, experimentId: string): Promise<SessionRecord | undefined>
  /** All sessions of a person in an experiment. */
  idsOf(person: PersonKey, experimentId: string): Promise<string[]>
  complete(request: CompleteRequest): Promise<CompleteOutcome>
  /** The status after the call; undefined when there is no such session. */
  revoke(revoked: { sessionId: string; actor: string; now: number }): Promise<SessionStatus | undefined>
  /** Moves `lastActivityAt` forwards, never backwards. */
  touch(activity: { sessionId: string; at: number }[]): Promise<void>
  /** Marks sessions whose time is over as expired; returns their ids. */
  expire(now: number): Promise<string[]>
  /** R48: erases IP addresses and user agents of the next sessions, in the order in which their time was over. */
  forgetOrigins(request: ForgetRequest): Promise<ForgetPosition | null>
  /**
   * R94: some of the people whose identity is held although they have consented, which the previous release does not reveal,
   * or who never gave consent and were not here since.
   */
  unsettledPeople(before: number): Promise<string[]>
  /** Reveals the identity of whoever has consented, and forgets whoever is gone. Changes nothing if neither is so any more. */
  settleIdentity(settled: { participantId: string; before: number; sealing?: SealingKeys }): Promise<void>
  history(person: PersonKey, now: number): Promise<HistoryEntry[]>
  /** R22: experiments with an open room, which has begun or whose people may still come. */
  activeExperiments(now: number): Promise<number>
  /** R56: gives back the places of those who waited; returns their ids. */
  /** R68: the room of the last stage that somebody has finished; undefined if there is none. */
  lastRoomOf(participantId: string): Promise<string | undefined>
  /** R68: sends somebody who waits to another stage. */
  toStage(participantId: string, stage: string): Promise<void>
  leaveWaiting(participantIds: string[]): Promise<string[]>
  /** Takes another place for somebody who gave theirs back; false if none is left. */
  waitAgain(participantId: string): Promise<boolean>
}
