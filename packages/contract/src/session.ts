import { Type } from 'typebox'
import { EpochMs } from './text.ts'

const sessionStatuses = ['active', 'completed', 'expired', 'revoked'] as const
export type SessionStatus = (typeof sessionStatuses)[number]
export const SessionStatusSchema = Type.Enum(sessionStatuses)

export const sessionIdPrefix = 'sess_'
export const sessionTokenPrefix = 'stkn_'
export const sessionPseudonymPrefix = 'ses_'
/** R12: the prefix and 32 random bytes in base64url. */
export const SessionId = Type.String({
  pattern: '^sess_[A-Za-z0-9_-]{43}$',
  description: 'The session id, sent in the header `X-Session-Id`',
})
/** R59: the session id is a credential, so researchers and logs see this instead. */
export const SessionPseudonym = Type.String({
  pattern: '^ses_[A-Za-z0-9_-]{22}$',
  description: 'Stable pseudonym of the session; not a credential',
  examples: ['ses_q7Xk2VbN9tRzL4mWc8YpJ0'],
})
export const SessionReference = Type.String({
  pattern: '^(ses_[A-Za-z0-9_-]{22}|sess_[A-Za-z0-9_-]{43})$',
  description: 'The session’s pseudonym, as in exports (`ses_…`), or its id (`sess_…`)',
  examples: ['ses_q7Xk2VbN9tRzL4mWc8YpJ0'],
})
export const SessionToken = Type.String({
  pattern: '^stkn_[A-Za-z0-9_-]{43}$',
  description: 'Signed proof of the session, sent in the header `X-Session-Token`',
})
export const ParticipantId = Type.String({
  pattern: '^part_[A-Za-z0-9_-]{22}$',
  description: 'The person within the experiment; stays the same when they resume',
})
/** Agents are participants of their rooms, with ids of their own. */
export const SeatedId = Type.String({
  pattern: '^(part_[A-Za-z0-9_-]{22}|agent_[A-Za-z0-9_-]{1,100})$',
  description: 'A person (`part_…`) or an agent (`agent_…`) in the room',
})
/** R17: `room_<id>` once there is a room, `waiting_<experimentId>` until the group is matched. */
export const RoomId = Type.String({
  pattern: '^(room|waiting)_[A-Za-z0-9_-]+$',
  description: '`room_…` once there is a room, `waiting_…` until the group is matched',
})

/** The contract's participant session record (collection participantSessions). */
export const ParticipantSession = Type.Object({
  sessionId: SessionId,
  participantId: ParticipantId,
  experimentId: Type.String(),
  roomId: RoomId,
  userId: Type.String({ description: 'Identity-provider user id (the subject of the ID token)' }),
  createdAt: EpochMs('When the session started'),
  lastActivityAt: EpochMs('Updated on each request, written with a delay'),
  expiresAt: EpochMs('24 hours after creation'),
  ipAddress: Type.String(),
  userAgent: Type.String(),
  status: SessionStatusSchema,
})
export type ParticipantSession = Type.Static<typeof ParticipantSession>

/** R15: `active` may become any other status; the others are final. */
export const maySessionBecome = (from: SessionStatus, to: SessionStatus): boolean =>
  from === 'active' && to !== 'active'
