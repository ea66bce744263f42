import {
  anyRole,
  groupSizeOf,
  type JoinBody,
  limits,
  roleIdsOf,
  type SessionHistoryItem,
  type SessionStatus,
  sessionPseudonymPrefix,
} from '@atrium/contract'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import { newParticipantId, newRoomId, newSessionId, pseudonymOf } from '../../kernel/ids.ts'
import { findUnstorable } from '../../kernel/validate.ts'
import type { Identity } from '../identity/index.ts'
import { createActivity } from './activity.ts'
import { createCompletion } from './complete.ts'
import { rolesToDraw } from './join.plan.ts'
import { joinMetadata } from './join-metadata.ts'
import { participationsOf } from './participations.ts'
import { hasConsent, sameUserAgent, statusAt } from './session.ts'
import { createSessionCache } from './session-cache.ts'
import type { SessionParts } from './session-parts.ts'
import type { Completion, JoinOutcome, SessionRecord } from './sessions.store.ts'

export interface Origin {
  ipAddress: string
  userAgent: string
}

export interface PresentedSession extends Origin {
  sessionId: string | undefined
  sessionToken: string | undefined
}

export type Sessions = ReturnType<typeof createSessions>

export function createSessions(parts: SessionParts) {
  const { store, experiments, tokens, clock } = parts
  const cache = createSessionCache(store, parts.bus)
  const activity = createActivity(store, parts.onBackgroundError)
  let userAgentMismatches = 0

  /** The session behind a request, whatever its status, once it is clear that the caller may use it. */
  async function recognise(presented: PresentedSession): Promise<SessionRecord> {
    const { sessionId, sessionToken } = presented
    const session = sessionId === undefined ? undefined : await cache.find(sessionId)
    if (!session) throw new AppError('SESSION_INVALID')
    if (sessionToken !== undefined && !tokens.isRight(sessionToken, session.sessionId, session.expiresAt))
      throw new AppError('SESSION_INVALID', { reason: 'token' })
    if (!sameUserAgent(presented.userAgent, session.userAgent)) {
      userAgentMismatches++
      throw new AppError('SESSION_INVALID', { reason: 'user_agent' })
    }
    if (parts.bindIp && presented.ipAddress !== session.ipAddress)
      throw new AppError('SESSION_INVALID', { reason: 'ip_address' })
    return session
  }

  const sessions = {
    cache,
    activity,
    ...createCompletion(parts, cache),
    userAgentMismatches: () => userAgentMismatches,

    recognise,

    /** Lets a session act that still may; a completed one only where the route repeats its answer. */
    admit(session: SessionRecord, mayBeCompleted: boolean): void {
      const now = clock.now()
      refuseEnded(session, now, mayBeCompleted)
      activity.note(session.sessionId, now)
    },

    async join(identity: Identity, body: JoinBody, origin: Origin) {
      refuseForeignGuest(identity, body.experimentId)
      const request = await joinRequest(parts, identity, body, origin)
      const outcome = await store.join(request)
      const session = sessionOf(outcome, body.experimentId)
      if (outcome.kind === 'joined') await cache.changed(outcome.revokedSessionIds)
      cache.put(session)
      const definition = await experiments.definition(session.experimentId, session.revision)
      return { session, sessionToken: tokens.sign(session.sessionId, session.expiresAt), definition }
    },

    /** Whether a person has ever joined the experiment. */
    takesPart: async (identity: Identity, experimentId: string): Promise<boolean> =>
      (await store.findNewest(identity, experimentId)) !== undefined,

    /** v3 has no sessions to show: the newest one of the person, renewed when its 24 hours are over. */
    async ofPerson(identity: Identity, experimentId: string, origin: Origin): Promise<SessionRecord> {
      refuseForeignGuest(identity, experimentId)
      const newest = await store.findNewest(identity, experimentId)
      if (!newest) {
        await experiments.find(experimentId)
        throw new AppError('SESSION_INVALID', { experimentId }, 'You have not joined this experiment.')
      }
      const now = clock.now()
      if (statusAt(newest, now) === 'expired')
        return (await sessions.join(identity, { experimentId }, origin)).session
      refuseEnded(newest, now, false)
      activity.note(newest.sessionId, now)
      return newest
    },

    /** Says why a session that looked active a moment ago takes nothing more. */
    async explainEnd(sessionId: string): Promise<never> {
      await cache.changed([sessionId])
      const session = await store.find(sessionId)
      if (session) refuseEnded(session, clock.now(), false)
      throw new AppError('SESSION_INVALID')
    },

    /** For decisions that a record of a few seconds ago must not make. */
    async readAgain(sessionId: string): Promise<SessionRecord> {
      const session = await store.find(sessionId)
      if (!session) throw new AppError('SESSION_INVALID')
      cache.put(session)
      return session
    },

    /** R38. It may have been given on another instance a moment ago, so it is read again before it is denied. */
    async hasConsent(session: SessionRecord): Promise<boolean> {
      return hasConsent(session) || hasConsent(await sessions.readAgain(session.sessionId))
    },

    async requireConsent(session: SessionRecord): Promise<void> {
      if (!(await sessions.hasConsent(session))) throw new AppError('CONSENT_REQUIRED')
    },

    /** Given or declined: what is remembered of the session is no longer right, anywhere. */
    consentAnswered: (sessionId: string): Promise<void> => cache.changed([sessionId]),

    /** Sessions as they are now, past what is remembered; those that exist. */
    readMany: (sessionIds: string[]): Promise<SessionRecord[]> => store.findMany(sessionIds),

    /** Participants have got a room: what is remembered of their sessions is no longer right, anywhere. */
    async roomAssigned(participantIds: string[]): Promise<void> {
      await cache.changed(await store.activeIdsOf(participantIds))
    },

    /** Of sessions with an open socket, those that may have none any more: how they ended (R15), or that consent is missing (R38). */
    async endedAmong(sessionIds: string[]): Promise<Map<string, SessionStatus | 'without_consent'>> {
      const now = clock.now()
      const ended = new Map<string, SessionStatus | 'without_consent'>()
      for (const session of await store.findMany(sessionIds)) {
        const status = statusAt(session, now)
        if (status !== 'active') ended.set(session.sessionId, status)
        else if (!hasConsent(session)) ended.set(session.sessionId, 'without_consent')
      }
      return ended
    },

    async history(identity: Identity): Promise<SessionHistoryItem[]> {
      const entries = await store.history(identity, clock.now())
      return entries.map(({ participantId: _internal, ...item }) => item)
    },

    /** S12: one row for each participation: how its newest session stands, and when its first one began. */
    async participations(identity: Identity): Promise<Omit<SessionHistoryItem, 'sessionId'>[]> {
      return participationsOf(await store.history(identity, clock.now()))
    },

    /** R59: by the id or by the pseudonym; the answer names it by the latter. */
    async revoke(reference: string, actor: string): Promise<{ sessionId: string; status: SessionStatus }> {
      const isPseudonym = reference.startsWith(sessionPseudonymPrefix)
      const sessionId = isPseudonym ? await store.findId(reference) : reference
      const status = sessionId && (await store.revoke({ sessionId, actor, now: clock.now() }))
      if (!sessionId || !status) throw new AppError('NOT_FOUND', {}, 'There is no such session.')
      if (status === 'completed') throw new AppError('SESSION_COMPLETED')
      await cache.changed([sessionId])
      return { sessionId: pseudonymOf(sessionId), status }
    },

    /** R15: a participant who was removed has no session any more. */
    async revokeParticipant(participantId: string, actor: string): Promise<void> {
      for (const sessionId of await store.activeIdsOf([participantId]))
        await sessions.revoke(sessionId, actor)
    },

    /** R56: these people wait no longer, and their places are free. */
    async leaveWaiting(participantIds: string[]): Promise<void> {
      const left = await store.leaveWaiting(participantIds)
      if (left.length > 0) await cache.changed(await store.activeIdsOf(left))
    },

    /** Whether somebody who left the waiting room found a place again. */
    async waitAgain({ participantId, sessionId }: SessionRecord): Promise<boolean> {
      const hasPlace = await store.waitAgain(participantId)
      await cache.changed([sessionId])
      return hasPlace
    },

    /** R15: active → expired, for everyone whose time is over. */
    async sweep(): Promise<void> {
      await cache.changed(await store.expire(clock.now()))
    },
  }
  return sessions
}

/** R51: a guest's token is for one experiment. */
function refuseForeignGuest({ guest }: Identity, experimentId: string): void {
  if (guest && guest.experimentId !== experimentId)
    throw new AppError('FORBIDDEN', { reason: 'guest' }, 'This guest’s token is for another experiment.')
}

function refuseEnded(session: SessionRecord, now: number, mayBeCompleted: boolean): void {
  const status = statusAt(session, now)
  if (status === 'expired') {
    const expiredAt = new Date(session.expiresAt).toISOString()
    throw new AppError('SESSION_EXPIRED', { sessionId: session.sessionId, expiredAt })
  }
  if (status === 'revoked') throw new AppError('SESSION_INVALID', { reason: 'revoked' })
  if (status === 'completed' && !mayBeCompleted) throw new AppError('SESSION_COMPLETED')
}

async function joinRequest(
  { experiments, clock, podId }: SessionParts,
  identity: Identity,
  body: JoinBody,
  origin: Origin,
) {
  const sent = body.metadata ?? {}
  // Before its size is measured: JSON.stringify overflows the stack on a few thousand levels.
  const unstorable = findUnstorable(sent, limits.jsonDepth, '/metadata')
  if (unstorable) throw validationFailed([unstorable])
  if (Buffer.byteLength(JSON.stringify(sent)) > limits.metadataBytes)
    throw validationFailed([
      { path: '/metadata', message: `must be at most ${limits.metadataBytes} bytes as JSON` },
    ])
  const experiment = await experiments.find(body.experimentId)
  const definition = await experiments.definition(body.experimentId, experiment.revision)
  const role = body.role ?? anyRole
  if (role !== anyRole && !roleIdsOf(definition).includes(role))
    throw validationFailed([{ path: '/role', message: `the experiment has no role called ‘${role}’` }])
  const now = clock.now()
  const soloRoom = groupSizeOf(definition).max === 1
  return {
    ...origin,
    experimentId: body.experimentId,
    person: { issuer: identity.issuer, subject: identity.subject },
    role,
    drawRoleFrom: soloRoom && role === anyRole ? rolesToDraw(definition) : [],
    metadata: joinMetadata(identity, sent),
    revision: experiment.revision,
    allowRepeat: definition.completion?.allowRepeat ?? false,
    needsConsent: definition.consent !== undefined,
    soloRoom,
    podId,
    newIds: { sessionId: newSessionId(), participantId: newParticipantId(), roomId: newRoomId() },
    now,
    expiresAt: now + limits.sessionLifetimeMs,
  }
}

const closedSentences = {
  status: 'The experiment does not accept participants at the moment.',
  full: 'The experiment has all the participants it needs.',
  already_completed: 'You have taken part in this experiment already.',
}

function sessionOf(outcome: JoinOutcome, experimentId: string): SessionRecord {
  switch (outcome.kind) {
    case 'joined':
      return outcome.session
    case 'not_found':
      throw new AppError('EXPERIMENT_NOT_FOUND', { experimentId })
    case 'closed': {
      const { reason, completion } = outcome
      throw new AppError('EXPERIMENT_CLOSED', { reason, ...endOf(completion) }, closedSentences[reason])
    }
  }
}

const endOf = (completion: Completion | undefined) =>
  completion && {
    outcome: completion.outcome,
    completionCode: completion.completionCode,
    redirectUrl: completion.redirectUrl,
  }
