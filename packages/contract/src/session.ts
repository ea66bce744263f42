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
  description: 'The session; goes into the header `X-Session-Id`',
})
/** R59: the id is a credential, so researchers and logs get to see this instead. */
export const SessionPseudonym = Type.String({
  pattern: '^ses_[A-Za-z0-9_-]{22}$',
  description: 'The session, by a name that stays the same and gives no access to it',
  examples: ['ses_q7Xk2VbN9tRzL4mWc8YpJ0'],
})
export const SessionReference = Type.String({
  pattern: '^(ses_[A-Za-z0-9_-]{22}|sess_[A-Za-z0-9_-]{43})$',
  description: 'The session, by its name in an export (`ses_…`) or by its own id (`sess_…`)',
  examples: ['ses_q7Xk2VbN9tRzL4mWc8YpJ0'],
})
export const SessionToken = Type.String({
  pattern: '^stkn_[A-Za-z0-9_-]{43}$',
  description: 'Signed proof of the session; goes into the header `X-Session-Token`',
})
export const ParticipantId = Type.String({
  pattern: '^part_[A-Za-z0-9_-]{22}$',
  description: 'The person within the experiment; stays when they resume',
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
  createdAt: EpochMs('When the session began'),
  lastActivityAt: EpochMs('Updated on each request; written behind'),
  expiresAt: EpochMs('24 hours after creation'),
  ipAddress: Type.String(),
  userAgent: Type.String(),
  status: SessionStatusSchema,
})
export type ParticipantSession = Type.Static<typeof ParticipantSession>

/** R15: `active` may become any other status; the others are final. */
export const maySessionBecome = (from: SessionStatus, to: SessionStatus): boolean =>
  from === 'active' && to !== 'active'
