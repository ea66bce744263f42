import { type SessionHistoryItem, type SessionStatus, sessionPseudonymPrefix } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import { pseudonymOf } from '../../kernel/ids.ts'
import type { Identity } from '../identity/index.ts'
import { createActivity } from './activity.ts'
import { createCompletion } from './complete.ts'
import { createOriginSweep } from './forget-origins.ts'
import { createJoin, type Origin, refuseForeignGuest } from './join.ts'
import {
  hasConsent,
  historyFor,
  isForgotten,
  mayUse,
  participationsOf,
  sameUserAgent,
  statusAt,
} from './session.ts'
import { createSessionCache, type SessionCache } from './session-cache.ts'
import type { SessionDeps } from './session-deps.ts'
import type { SessionRecord } from './sessions.store.ts'

interface PresentedSession extends Origin {
  sessionId: string | undefined
  sessionToken: string | undefined
}

/** R94: for as long, whoever has declined can repeat the call that tells them the way back. */
const undecidedMs = 3_600_000

export interface Sessions extends ReturnType<typeof createCompletion> {
  cache: SessionCache
  activity: ReturnType<typeof createActivity>
  /** How often sessions were used by another browser. */
  userAgentMismatches(): number
  /** The session behind a request, whatever its status, if the caller may use it. */
  recognise(presented: PresentedSession): Promise<SessionRecord>
  /** For decisions that must not rely on a record a few seconds old. */
  readAgain(sessionId: string): Promise<SessionRecord>
  hasConsent(session: SessionRecord): Promise<boolean>
  /** R59: by id or pseudonym; the result has the pseudonym. */
  revoke(reference: string, actor: string): Promise<{ sessionId: string; status: SessionStatus }>
  /** Throws unless the session may still act; a completed one only where the route repeats its answer. */
  admit(session: SessionRecord, mayBeCompleted: boolean): void
  join: ReturnType<typeof createJoin>
  /** G14: whether a guest has joined the experiment before, and from the device that asks. */
  guestKnownAs(identity: Identity, experimentId: string): Promise<'stranger' | 'named' | 'proven'>
  /** v3 shows no sessions: uses the person's newest one, renewed when its 24 hours are over. */
  ofPerson(identity: Identity, experimentId: string, origin: Origin): Promise<SessionRecord>
  /** Throws the reason why a session that looked active a moment ago takes nothing more. */
  explainEnd(sessionId: string): Promise<never>
  requireConsent(session: SessionRecord): Promise<void>
  /** Consent given or declined: cached copies of the session are outdated everywhere. */
  consentAnswered(session: SessionRecord): Promise<void>
  /** Existing sessions as they are now, bypassing the cache. */
  readMany(sessionIds: string[]): Promise<SessionRecord[]>
  /** Participants have got a room, or left the one they had: cached copies of their sessions are outdated everywhere. */
  roomChanged(participantIds: string[]): Promise<void>
  /**
   * Which of the sessions with an open socket may not keep it: how they ended (R15), or that consent is missing
   * (R38).
   */
  endedAmong(sessionIds: string[]): Promise<Map<string, SessionStatus | 'without_consent'>>
  history(identity: Identity): Promise<SessionHistoryItem[]>
  /** S12: one row per participation: the status of its newest session, and the start of its first. */
  participations(identity: Identity): Promise<Omit<SessionHistoryItem, 'sessionId'>[]>
  /** R15: a removed participant loses their session. */
  revokeParticipant(participantId: string, actor: string): Promise<void>
  /** R68: sends somebody who waits to another stage; whoever has just got a room keeps it. */
  toStage(participantId: string, stage: string): Promise<void>
  /** R56: these people no longer wait, and their places are free. */
  leaveWaiting(participantIds: string[]): Promise<void>
  /** Whether somebody who had left the waiting room got a place again. */
  waitAgain(session: SessionRecord): Promise<boolean>
  /** R15: expires all sessions whose time is over. R48: forgets where they came from, long afterwards. */
  sweep(): Promise<void>
}

// Long because it is a list: what may be asked about a session, a few lines each.
export function createSessions(deps: SessionDeps): Sessions {
  const { store, experiments, tokens, clock } = deps
  const cache = createSessionCache(store, deps.bus)
  const activity = createActivity(store, deps.onBackgroundError)
  const forgetOrigins = createOriginSweep(deps)
  let userAgentMismatches = 0

  async function recognise(presented: PresentedSession): Promise<SessionRecord> {
    const { sessionId, sessionToken } = presented
    const session = sessionId === undefined ? undefined : await cache.find(sessionId)
    if (!session) throw new AppError('SESSION_INVALID')
    if (sessionToken !== undefined && !tokens.isValid(sessionToken, session.sessionId, session.expiresAt))
      throw new AppError('SESSION_INVALID', { reason: 'token' })
    if (isForgotten(session)) return session // It is over; at most its code is read.
    if (!sameUserAgent(presented.userAgent, session.userAgent)) {
      userAgentMismatches++
      throw new AppError('SESSION_INVALID', { reason: 'user_agent' })
    }
    if (deps.bindIp && presented.ipAddress !== session.ipAddress)
      throw new AppError('SESSION_INVALID', { reason: 'ip_address' })
    return session
  }

  const join = createJoin(deps, cache)

  async function readAgain(sessionId: string): Promise<SessionRecord> {
    const session = await store.find(sessionId)
    if (!session) throw new AppError('SESSION_INVALID')
    cache.put(session)
    return session
  }

  /**
   * R38. Consent may just have been given on another instance, so the session is read again before consent is denied.
   */
  async function hasCurrentConsent(session: SessionRecord): Promise<boolean> {
    return hasConsent(session) || hasConsent(await readAgain(session.sessionId))
  }

  async function revoke(
    reference: string,
    actor: string,
  ): Promise<{ sessionId: string; status: SessionStatus }> {
    const isPseudonym = reference.startsWith(sessionPseudonymPrefix)
    const sessionId = isPseudonym ? await store.findId(reference) : reference
    const status = sessionId && (await store.revoke({ sessionId, actor, now: clock.now() }))
    if (!sessionId || !status) throw new AppError('NOT_FOUND', {}, 'There is no such session.')
    if (status === 'completed') throw new AppError('SESSION_COMPLETED')
    await cache.changed([sessionId])
    return { sessionId: pseudonymOf(sessionId), status }
  }

  return {
    cache,
    activity,
    ...createCompletion(deps, cache),
    userAgentMismatches: () => userAgentMismatches,

    recognise,
    readAgain,
    hasConsent: hasCurrentConsent,
    revoke,

    admit(session, mayBeCompleted) {
      const now = clock.now()
      refuseEnded(session, now, mayBeCompleted)
      activity.note(session.sessionId, now)
    },

    join,

    async guestKnownAs(identity, experimentId) {
      const sessionIds = await store.idsOf(identity, experimentId)
      if (sessionIds.length === 0) return 'stranger'
      return sessionIds.some((sessionId) => mayUse(identity, sessionId)) ? 'proven' : 'named'
    },

    async ofPerson(identity, experimentId, origin) {
      refuseForeignGuest(identity, experimentId)
      const newest = await store.findNewest(identity, experimentId)
      // G16: in v4 a guest needs a session of their own device, too.
      if (!newest || !mayUse(identity, newest.sessionId)) {
        await experiments.find(experimentId)
        throw new AppError('SESSION_INVALID', { experimentId }, 'You have not joined this experiment.')
      }
      const now = clock.now()
      if (statusAt(newest, now) === 'expired') return (await join(identity, { experimentId }, origin)).session
      refuseEnded(newest, now, false)
      activity.note(newest.sessionId, now)
      return newest
    },

    async explainEnd(sessionId) {
      await cache.changed([sessionId])
      const session = await store.find(sessionId)
      if (session) refuseEnded(session, clock.now(), false)
      throw new AppError('SESSION_INVALID')
    },

    async requireConsent(session) {
      if (!(await hasCurrentConsent(session))) throw new AppError('CONSENT_REQUIRED')
    },

    async consentAnswered({ sessionId, participantId, needsConsent }) {
      // First, so that the room does not note that their connection was lost.
      const current = needsConsent ? await readAgain(sessionId) : undefined
      if (current && current.roomId !== null && !hasConsent(current)) {
        const member = { roomId: current.roomId, participantId }
        await deps.withdrawFromRoom(member)
        await deps.bus.publish('consent_withdrawn', member).catch(deps.onBackgroundError)
      }
      await cache.changed([sessionId])
    },

    readMany: (sessionIds) => store.findMany(sessionIds),

    async roomChanged(participantIds) {
      await cache.changed(await store.activeIdsOf(participantIds))
    },

    async endedAmong(sessionIds) {
      const now = clock.now()
      const ended = new Map<string, SessionStatus | 'without_consent'>()
      const found = await store.findMany(sessionIds)
      // R48: those that are not found are deleted, or nobody's any more.
      const known = new Set(found.map(({ sessionId }) => sessionId))
      for (const sessionId of sessionIds) if (!known.has(sessionId)) ended.set(sessionId, 'revoked')
      for (const session of found) {
        const status = statusAt(session, now)
        if (status !== 'active') ended.set(session.sessionId, status)
        else if (!hasConsent(session)) ended.set(session.sessionId, 'without_consent')
      }
      return ended
    },

    async history(identity) {
      const entries = historyFor(identity, await store.history(identity, clock.now()))
      return entries.map(({ participantId: _internal, ...item }) => item)
    },

    async participations(identity) {
      return participationsOf(historyFor(identity, await store.history(identity, clock.now())))
    },

    async revokeParticipant(participantId, actor) {
      // The page of somebody who was removed completes at once, or their data was deleted: nothing is left to revoke.
      for (const sessionId of await store.activeIdsOf([participantId]))
        await revoke(sessionId, actor).catch((error: unknown) => {
          const isOver = error instanceof AppError && ['SESSION_COMPLETED', 'NOT_FOUND'].includes(error.code)
          if (!isOver) throw error
        })
    },

    async toStage(participantId, stage) {
      await store.toStage(participantId, stage)
      await cache.changed(await store.activeIdsOf([participantId]))
    },

    async leaveWaiting(participantIds) {
      const left = await store.leaveWaiting(participantIds)
      if (left.length > 0) await cache.changed(await store.activeIdsOf(left))
    },

    async waitAgain({ participantId, sessionId }) {
      const hasPlace = await store.waitAgain(participantId)
      await cache.changed([sessionId])
      return hasPlace
    },

    async sweep() {
      await cache.changed(await store.expire(clock.now()))
      await forgetOrigins()
      const before = clock.now() - undecidedMs
      for (const participantId of await store.unsettledPeople(before))
        await store.settleIdentity({ participantId, before })
    },
  }
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
