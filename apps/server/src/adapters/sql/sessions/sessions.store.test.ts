import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  completeRequest,
  joined,
  joinRequest,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { pseudonymOf } from '../../../kernel/ids.ts'

describeOnBothEngines('sessions', (engine) => {
  const person = (subject: string) => ({
    issuer: 'urn:test',
    subject: `${subject} ${expect.getState().currentTestName}`,
  })
  const statusOf = async (sessionId: string) => (await engine().database.sessions.find(sessionId))?.status

  test('[R12] a joined session reads back as it was written', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const request = joinRequest(experimentId, {
      metadata: { 'prolific "id"': '👋 \\ \u0000 \u2028', deep: { n: [1e21, 2 ** 53 - 1, null] } },
      userAgent: `Mozilla/5.0 "quoted" \\ ünï`,
      person: { issuer: 'https://issuer.example/ü', subject: `sub|1'"\\` },
    })
    const outcome = await database.sessions.join(request)
    const session = await database.sessions.find(request.newIds.sessionId)
    expect(outcome).toEqual({ kind: 'joined', session, revokedSessionIds: [] })
    expect(session).toEqual({
      sessionId: request.newIds.sessionId,
      participantId: request.newIds.participantId,
      roomId: request.newIds.roomId,
      stage: null,
      experimentId,
      revision: 1,
      role: 'participant',
      userId: request.person.subject,
      isHeld: false,
      joinedAt: startOfTime,
      createdAt: startOfTime,
      lastActivityAt: startOfTime,
      expiresAt: startOfTime + oneDayMs,
      ipAddress: '127.0.0.1',
      userAgent: request.userAgent,
      status: 'active',
      metadata: request.metadata,
      holdsPlace: true,
      needsConsent: false,
      consentedAt: null,
      completion: null,
    })
    expect(await database.sessions.find('sess_unknown')).toBeUndefined()
    expect(await database.sessions.join(joinRequest('exp_unknown'))).toEqual({ kind: 'not_found' })
  })

  test('[R17] a participant without a room waits', async () => {
    const { database } = engine()
    const session = await joined(database, await openExperiment(database), { soloRoom: false })
    expect(session.roomId).toBeNull()
  })

  test('[R14] joining again resumes: same participant and room, new session, the old one revoked', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const who = { person: person('returns') }
    const first = await joined(database, experimentId, { ...who, metadata: { pid: 'x', source: 'a' } })
    const outcome = await database.sessions.join(
      joinRequest(experimentId, { ...who, now: startOfTime + 1, metadata: { source: 'b' } }),
    )
    if (outcome.kind !== 'joined') throw new Error(outcome.kind)
    const second = outcome.session
    expect(outcome.revokedSessionIds).toEqual([first.sessionId])
    expect(second).toMatchObject({ participantId: first.participantId, roomId: first.roomId })
    expect(second.metadata).toEqual({ pid: 'x', source: 'b' })
    expect(await statusOf(first.sessionId)).toBe('revoked')
    expect(await database.events.append([aBatch(first.sessionId, [anEvent(1)])])).toEqual([
      { kind: 'sealed' },
    ])
    expect((await database.sessions.findNewest(who.person, experimentId))?.sessionId).toBe(second.sessionId)
  })

  test('[R14] the active session is the newest, even within one millisecond or with a clock that is behind', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const who = { person: person('quick') }
    for (const now of [startOfTime, startOfTime, startOfTime - 60_000]) {
      const { sessionId } = await joined(database, experimentId, { ...who, now })
      expect((await database.sessions.findNewest(who.person, experimentId))?.sessionId).toBe(sessionId)
    }
  })

  test('[R14] two tabs that join at the same time are one participant with one active session', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const who = { person: person('tabs') }
    const sessions = await Promise.all([1, 2, 3, 4, 5].map(() => joined(database, experimentId, who)))
    expect(new Set(sessions.map(({ participantId }) => participantId)).size).toBe(1)
    const statuses = await Promise.all(sessions.map(({ sessionId }) => statusOf(sessionId)))
    expect(statuses.toSorted()).toEqual(['active', 'revoked', 'revoked', 'revoked', 'revoked'])
  })

  test('[R14] people who have completed are refused, unless the experiment allows repeats', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const who = { person: person('again') }
    const first = await joined(database, experimentId, who)
    await database.sessions.complete(completeRequest(first.sessionId))
    expect(await database.sessions.join(joinRequest(experimentId, who))).toEqual({
      kind: 'closed',
      reason: 'already_completed',
      completed: await database.sessions.find(first.sessionId),
    })
    const repeat = await joined(database, experimentId, { ...who, allowRepeat: true })
    expect(repeat.participantId).not.toBe(first.participantId)
    expect(await statusOf(first.sessionId)).toBe('completed')
  })

  test('[R22] a capacity holds against simultaneous joins; people who have joined can always come back', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database, { capacity: 3 })
    const requests = Array.from({ length: 9 }, () => joinRequest(experimentId))
    const outcomes = await Promise.all(requests.map((request) => database.sessions.join(request)))
    expect(outcomes.filter(({ kind }) => kind === 'joined')).toHaveLength(3)
    expect(outcomes.filter(({ kind }) => kind !== 'joined')).toEqual(
      Array.from({ length: 6 }, () => ({ kind: 'closed', reason: 'full' })),
    )
    const inside = requests[outcomes.findIndex(({ kind }) => kind === 'joined')]
    await joined(database, experimentId, { person: inside?.person ?? person('nobody') })
    expect(await database.experiments.find(experimentId)).toMatchObject({ participantCount: 3 })
  })

  test('[R15] only an active session can be revoked; the others keep their status', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const { sessionId } = await joined(database, experimentId)
    const revoke = (id: string) =>
      database.sessions.revoke({ sessionId: id, actor: 'admin', now: startOfTime })
    expect(await revoke(sessionId)).toBe('revoked')
    expect(await revoke(sessionId)).toBe('revoked')
    expect(await revoke('sess_unknown')).toBeUndefined()
    const done = await joined(database, experimentId)
    await database.sessions.complete(completeRequest(done.sessionId))
    expect(await revoke(done.sessionId)).toBe('completed')
    const audited = await engine().rows(
      `select action from audit_log where subject = '${pseudonymOf(sessionId)}'`,
    )
    expect(audited).toEqual([{ action: 'session_revoked' }])
  })

  test('[R59] a session is found by its pseudonym, even one opened by a server of the previous version', async () => {
    const { database } = engine()
    const { sessionId } = await joined(database, await openExperiment(database))
    expect(await database.sessions.findId(pseudonymOf(sessionId))).toBe(sessionId)
    const former = await joined(database, await openExperiment(database))
    await engine().change(`update sessions set pseudonym = null where session_id = '${former.sessionId}'`)
    expect(await database.sessions.findId(pseudonymOf(former.sessionId))).toBe(former.sessionId)
    expect(await engine().rows('select session_id from sessions where pseudonym is null')).toEqual([])
    expect(await database.sessions.findId(pseudonymOf('sess_unknown'))).toBeUndefined()
    expect(await database.sessions.findId(sessionId)).toBeUndefined()
  })

  test('[R15] sessions expire once when their time is over, and take no more events', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const over = await joined(database, experimentId, { expiresAt: startOfTime - 1 })
    const justOver = await joined(database, experimentId, { expiresAt: startOfTime })
    const alive = await joined(database, experimentId, { expiresAt: startOfTime + 1 })
    const ids = await database.sessions.expire(startOfTime)
    expect(ids.toSorted()).toEqual([over.sessionId, justOver.sessionId].toSorted())
    expect(await database.sessions.expire(startOfTime)).toEqual([])
    expect(await statusOf(over.sessionId)).toBe('expired')
    expect(await statusOf(alive.sessionId)).toBe('active')
    expect(await database.events.append([aBatch(over.sessionId, [anEvent(1)])])).toEqual([{ kind: 'sealed' }])
  })

  test('[S5] activity moves forwards, never backwards; unknown sessions are ignored', async () => {
    const { database } = engine()
    const { sessionId } = await joined(database, await openExperiment(database))
    const lastActivity = async () => (await database.sessions.find(sessionId))?.lastActivityAt
    await database.sessions.touch([
      { sessionId: 'sess_unknown', at: startOfTime },
      { sessionId, at: startOfTime + 500 },
    ])
    expect(await lastActivity()).toBe(startOfTime + 500)
    await database.sessions.touch([{ sessionId, at: startOfTime + 400 }])
    expect(await lastActivity()).toBe(startOfTime + 500)
    await database.sessions.touch([])
    expect(await lastActivity()).toBe(startOfTime + 500)
  })

  test('history lists a person’s own sessions, newest first', async () => {
    const { database } = engine()
    const one = await openExperiment(database, { name: 'One “quoted” 👋' })
    const two = await openExperiment(database, { name: 'Two' })
    const who = { person: person('history') }
    const done = await joined(database, one, who)
    await database.sessions.complete(completeRequest(done.sessionId, { completedAt: startOfTime + 7 }))
    const over = await joined(database, two, { ...who, now: startOfTime + 1, expiresAt: startOfTime + 2 })
    await joined(database, one)
    expect(await database.sessions.history(who.person, startOfTime + 3)).toEqual([
      {
        participantId: over.participantId,
        sessionId: over.sessionId,
        experimentId: two,
        experimentName: 'Two',
        status: 'expired',
        startedAt: new Date(startOfTime + 1).toISOString(),
        completedAt: null,
        completionCode: null,
      },
      {
        participantId: done.participantId,
        sessionId: done.sessionId,
        experimentId: one,
        experimentName: 'One “quoted” 👋',
        status: 'completed',
        startedAt: new Date(startOfTime).toISOString(),
        completedAt: new Date(startOfTime + 7).toISOString(),
        completionCode: 'CODE-1',
      },
    ])
    expect(await database.sessions.history(person('nobody'), startOfTime)).toEqual([])
  })

  test('[R22] an experiment is active while it has an open room', async () => {
    const { database } = engine()
    // Far in the future, when the sessions of the other tests are over.
    const now = startOfTime + 1_000 * oneDayMs
    const active = () => database.sessions.activeExperiments(now)
    expect(await active()).toBe(0)
    const experimentId = await openExperiment(database)
    const session = await joined(database, experimentId, { now, expiresAt: now + 1 })
    await joined(database, experimentId, { now, expiresAt: now + 1 })
    await joined(database, await openExperiment(database), { now, expiresAt: now + 1, soloRoom: false })
    expect(await active()).toBe(1)
    await database.sessions.complete(completeRequest(session.sessionId))
    expect(await active()).toBe(1)
  })

  test('[R48] origins are erased in the order of expiry, of ended sessions only, and nothing else with them', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    // Far from the sessions of other tests.
    const day = (days: number) => startOfTime + (1_000 + days) * oneDayMs
    const at = (days: number) => ({
      now: day(days),
      expiresAt: day(days + 1),
    })
    const first = await joined(database, experimentId, {
      person: person('first'),
      metadata: { pid: 'p1' },
      ...at(0),
    })
    const second = await joined(database, experimentId, { person: person('second'), ...at(5) })
    const active = await joined(database, experimentId, { person: person('active'), ...at(0) })
    for (const { sessionId } of [first, second])
      await database.sessions.revoke({ sessionId, actor: 'urn:test someone', now: startOfTime })
    const forget = (after: { expiresAt: number; sessionId: string }, days: number) =>
      database.sessions.forgetOrigins({
        status: 'revoked',
        after,
        expiredBefore: day(days),
      })
    const originOf = async ({ sessionId }: { sessionId: string }) => {
      const { ipAddress, userAgent, metadata } = (await database.sessions.find(sessionId)) ?? {}
      return { ipAddress, userAgent, metadata }
    }
    const whole = { ipAddress: first.ipAddress, userAgent: first.userAgent, metadata: { pid: 'p1' } }

    const start = { expiresAt: day(0), sessionId: '' }
    expect(await forget(start, 1)).toBeNull()
    expect(await originOf(first)).toEqual(whole)
    const position = await forget(start, 2)
    expect(position).toEqual({ expiresAt: first.expiresAt, sessionId: first.sessionId })
    expect(await originOf(first)).toEqual({ ...whole, ipAddress: '', userAgent: '' })
    expect((await originOf(second)).ipAddress).toBe(second.ipAddress)
    expect((await originOf(active)).ipAddress).toBe(active.ipAddress)
    expect(await forget(position ?? start, 2)).toBeNull()
    expect(await forget(position ?? start, 7)).toEqual({
      expiresAt: second.expiresAt,
      sessionId: second.sessionId,
    })
    expect((await originOf(second)).userAgent).toBe('')
  })
})
