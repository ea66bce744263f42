import { experimentRoutes, identityRoutes, limits } from '@atrium/contract'
import { codeOf, createResearcher, describeInBothModes, numberedEvent, succeeded } from '@atrium/testkit'
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { pseudonymOf } from '../../src/kernel/ids.ts'
import { readRows } from '../rooms/rows.ts'
import { castOf, upTo } from './cast.ts'
import { moveExpiry } from './database.ts'
import { expectRefused, rateOf } from './rates.ts'
import { refusalOf } from './refusal.ts'
import { refusedSoon } from './refused-soon.ts'

/** In both modes, because one instance must hear what another one did, over Redis or within a process. */
describeInBothModes('What every instance knows', (world) => {
  const cast = castOf(world)
  const admin = () => cast.api.token('an-admin', ['admin'])
  const revoke = (token: string, sessionId: string) =>
    cast.api.call(experimentRoutes.revokeSession, { token, params: { sessionId } })

  async function joinAs(body: { experimentId: string; externalId: string }) {
    const { idToken } = succeeded(await cast.api.call(identityRoutes.guest, { body }))
    const { data } = succeeded(await cast.join(idToken, { experimentId: body.experimentId }))
    return { ...data, idToken }
  }

  test('[R14] joining again resumes: same participant and room, new session, the old one refused everywhere', async () => {
    const experimentId = await cast.open()
    const { session: former, join } = await cast.participant(experimentId)
    // Every instance has cached the old session and must drop it.
    for (const api of cast.eachApi())
      expect((await refusedSoon(api, former, 'VALIDATION_FAILED')).status).toBe(400)
    const resumed = await join(experimentId)
    expect(resumed.participantId).toBe(former.participantId)
    expect(resumed.roomId).toBe(former.roomId)
    expect(resumed.sessionId).not.toBe(former.sessionId)
    expect(resumed.sessionToken).not.toBe(former.sessionToken)
    for (const api of cast.eachApi()) await refusedSoon(api, former, 'SESSION_INVALID')
    expect((await cast.discover(resumed)).status).toBe(200)
    expect((await cast.monitor(experimentId)).participants).toEqual({ total: 1, active: 1, completed: 0 })
  })

  test('[R51,G2] within an experiment, the same external id is the same person on any instance and device', async () => {
    const experimentId = await cast.open()
    const first = await joinAs({ experimentId, externalId: 'p-1' })
    const again = await Promise.all(
      cast.eachApi().map(async (api) => {
        const body = { experimentId, externalId: ' p-1 ' }
        return succeeded(await api.call(identityRoutes.guest, { body })).idToken
      }),
    )
    for (const token of again) {
      const { data } = succeeded(await cast.join(token, { experimentId }))
      expect(data.participantId).toBe(first.participantId)
      expect(data.roomId).toBe(first.roomId)
    }
    const other = await joinAs({ experimentId, externalId: 'p-2' })
    expect(other.participantId).not.toBe(first.participantId)
    const elsewhere = await joinAs({ experimentId: await cast.open(), externalId: 'p-1' })
    expect(decodeJwt(elsewhere.idToken).sub).not.toBe(decodeJwt(first.idToken).sub)
    expect(await cast.history(elsewhere.idToken)).toHaveLength(1)
  })

  test('[R15] after 24 hours a session is SESSION_EXPIRED on every instance, and joining again resumes', async () => {
    const experimentId = await cast.open()
    const { session, join, token } = await cast.participant(experimentId)
    const { sessionId } = session
    const expiredAt = Date.now() - 1_000
    await moveExpiry(world(), sessionId, expiredAt)
    for (const api of cast.eachApi())
      expect(refusalOf(await refusedSoon(api, { sessionId }, 'SESSION_EXPIRED'))).toEqual({
        status: 401,
        code: 'SESSION_EXPIRED',
        details: { sessionId, expiredAt: new Date(expiredAt).toISOString() },
      })
    expect(refusalOf(await cast.discover({ sessionId })).code).toBe('SESSION_EXPIRED')
    expect(refusalOf(await cast.complete({ sessionId })).code).toBe('SESSION_EXPIRED')
    const resumed = await join(experimentId)
    expect(resumed.participantId).toBe(session.participantId)
    expect((await cast.discover(resumed)).status).toBe(200)
    expect((await cast.history(token)).map(({ status }) => status)).toEqual(['active', 'expired'])
  })

  test('[R15] an administrator revokes a session, and every instance refuses it within 5 s', async () => {
    const experimentId = await cast.open()
    const { session, join, token } = await cast.participant(experimentId)
    for (const api of cast.eachApi()) await refusedSoon(api, session, 'VALIDATION_FAILED')
    expect(succeeded(await revoke(await admin(), session.sessionId))).toEqual({
      sessionId: pseudonymOf(session.sessionId),
      status: 'revoked',
    })
    for (const api of cast.eachApi()) await refusedSoon(api, session, 'SESSION_INVALID')
    expect(refusalOf(await cast.complete(session)).code).toBe('SESSION_INVALID')
    expect(await cast.exported(experimentId)).toEqual([])
    expect((await cast.history(token))[0]?.status).toBe('revoked')
    expect((await join(experimentId)).participantId).toBe(session.participantId)
  })

  test('[R59] an export names a session by a pseudonym, which can revoke it everywhere but not use it', async () => {
    const experimentId = await cast.open()
    const { session } = await cast.participant(experimentId)
    const { session: other } = await cast.participant(experimentId)
    // Pages often write their session id into their events.
    const said = { session: session.sessionId, other: `of ${other.sessionId}` }
    succeeded(
      await cast.send(session, [
        numberedEvent(1, { type: 'said', data: said, ...said, eventId: session.sessionId }),
      ]),
    )
    const [line] = await cast.exported(experimentId)
    const pseudonym = line?.sessionId ?? ''
    expect(pseudonym).toMatch(/^ses_[\w-]{22}$/)
    const shown = { session: pseudonym, other: `of ${pseudonymOf(other.sessionId)}` }
    expect(line).toMatchObject({ data: shown, extra: shown, eventId: pseudonym })
    for (const { sessionId } of [session, other]) expect(JSON.stringify(line)).not.toContain(sessionId)
    expect(await cast.exported(experimentId)).toEqual([line])
    const imposter = { sessionId: pseudonym, sessionToken: session.sessionToken }
    for (const api of cast.eachApi()) await refusedSoon(api, imposter, 'SESSION_INVALID')
    for (const api of cast.eachApi()) await refusedSoon(api, session, 'VALIDATION_FAILED')
    expect(succeeded(await revoke(await admin(), pseudonym))).toEqual({
      sessionId: pseudonym,
      status: 'revoked',
    })
    for (const api of cast.eachApi()) await refusedSoon(api, session, 'SESSION_INVALID')
    expect((await cast.discover(other)).status).toBe(200)
    const audited = await readRows(world(), "select subject from audit_log where action = 'session_revoked'")
    expect(audited).toContainEqual({ subject: pseudonym })
    expect(JSON.stringify(audited)).not.toContain('sess_')
    for (const unknown of [`ses_${'A'.repeat(22)}`, `sess_${'A'.repeat(43)}`])
      expect(refusalOf(await revoke(await admin(), unknown))).toMatchObject({
        status: 404,
        code: 'NOT_FOUND',
      })
    for (const malformed of ['ses_', 'sess_x', `${pseudonym}x`])
      expect(refusalOf(await revoke(await admin(), malformed)).code).toBe('VALIDATION_FAILED')
  })

  test('[R60,X8] a researcher has separate limits for each kind of work, shared by all instances', async () => {
    const [one, other] = [await createResearcher(cast.api), await createResearcher(cast.api)]
    const params = { experimentId: 'exp_none' }
    const limit = limits.researcherRequestsPerWindow.export
    const apis = cast.eachApi()
    const exportAs = (token: string, number: number) =>
      (apis[number % apis.length] ?? cast.api).call(experimentRoutes.export, { token, params })
    for (const number of upTo(limit)) {
      const answer = await exportAs(one.token, number)
      expect(codeOf(answer)).toBe('EXPERIMENT_NOT_FOUND')
      expect(rateOf(answer)).toMatchObject({ limit, remaining: limit - number })
    }
    expectRefused(await exportAs(one.token, 0))
    expect((await cast.api.call(experimentRoutes.list, { token: one.token })).status).toBe(200)
    expect(codeOf(await exportAs(other.token, 0))).toBe('EXPERIMENT_NOT_FOUND')
  })
})
