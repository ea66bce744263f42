import { experimentRoutes, operationsRoutes, participantRoutes } from '@atrium/contract'
import {
  createApi,
  createPerson,
  describeInOneMode,
  numberedEvent,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf, type Session } from './cast.ts'
import { sessionRow } from './database.ts'
import { refusalOf } from './refusal.ts'

const chrome = (version: string) =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

describeInOneMode('participant sessions', (world) => {
  const cast = castOf(world)
  const admin = () => cast.api.token('an-admin', ['admin'])
  const revoke = (token: string, sessionId: string) =>
    cast.api.call(experimentRoutes.revokeSession, { token, params: { sessionId } })

  test('[R15] revoking again changes nothing; a completed session stays completed', async () => {
    const { session } = await cast.participant(await cast.open())
    const token = await admin()
    for (const _ of [1, 2]) expect((await revoke(token, session.sessionId)).status).toBe(200)
    const { session: done, token: person } = await cast.participant(await cast.open())
    succeeded(await cast.complete(done))
    expect(refusalOf(await revoke(token, done.sessionId))).toMatchObject({
      status: 409,
      code: 'SESSION_COMPLETED',
    })
    expect((await cast.history(person))[0]?.status).toBe('completed')
  })

  test('[R15,X17] only administrators can revoke sessions', async () => {
    const { session, token: participant } = await cast.participant(await cast.open())
    const { token: owner } = await cast.researcher()
    for (const token of [participant, owner])
      expect(refusalOf(await revoke(token, session.sessionId))).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
      })
    expect(refusalOf(await revoke('', session.sessionId)).code).toBe('UNAUTHENTICATED')
    expect((await cast.discover(session)).status).toBe(200)
    const unknown = await revoke(await admin(), `sess_${'A'.repeat(43)}`)
    expect(refusalOf(unknown)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })

  test('[R12] a session token is optional, but if sent it must belong to the session', async () => {
    const { session } = await cast.participant(await cast.open())
    const { session: other } = await cast.participant(await cast.open())
    const { sessionId, sessionToken } = session
    expect((await cast.discover({ sessionId })).status).toBe(200)
    expect((await cast.discover({ sessionId, sessionToken })).status).toBe(200)
    const wrong = [other.sessionToken, `${sessionToken}A`, sessionToken.slice(0, -1), 'stkn_', '']
    for (const token of wrong)
      expect(refusalOf(await cast.discover({ sessionId, sessionToken: token }))).toMatchObject({
        status: 401,
        code: 'SESSION_INVALID',
      })
    expect((await cast.discover(session)).status).toBe(200)
  })

  test('[R13] a browser that updates itself keeps its session; a different browser is refused', async () => {
    const experimentId = await cast.open()
    const address = () => world().any().http
    const discover = async (session: Session, userAgent: string) =>
      refusalOf(await createApi(address, userAgent).call(participantRoutes.discoverV4, { session }))
    const session = await (await createPerson(createApi(address, chrome('126.0.6478.126')))).join(
      experimentId,
    )
    expect((await discover(session, chrome('126.0.6478.126'))).status).toBe(200)
    expect((await discover(session, chrome('127.1'))).status).toBe(200)
    for (const userAgent of [firefox, '', 'curl/8.5.0'])
      expect(await discover(session, userAgent)).toEqual({
        status: 401,
        code: 'SESSION_INVALID',
        details: { reason: 'user_agent' },
      })
    expect((await discover(session, chrome('128.0'))).status).toBe(200)
  })

  test('[R13] a wrong user agent is counted', async () => {
    const { session } = await cast.participant(await cast.open())
    const [address = ''] = world().servers.map(({ http }) => http)
    const counted = async () =>
      succeeded(await createApi(address).call(operationsRoutes.metrics)).sessions.userAgentMismatches
    const before = await counted()
    await createApi(address, firefox).call(participantRoutes.discoverV4, { session })
    expect(await counted()).toBe(before + 1)
  })

  test('[R2] X-Forwarded-For is not trusted unless TRUST_PROXY says so', async () => {
    const experimentId = await cast.open()
    const { token } = await cast.person()
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const joined = await cast.api.call(participantRoutes.joinV4, { token, headers, body: { experimentId } })
    const { ipAddress, userAgent } = await sessionRow(world(), succeeded(joined).data.sessionId)
    expect(ipAddress).toMatch(/127\.0\.0\.1$/)
    expect(userAgent).toBe('atrium-test/1.0')
  })

  test('[S5] lastActivityAt is updated by the requests of a session', async () => {
    const { session } = await cast.participant(await cast.open())
    const joined = await sessionRow(world(), session.sessionId)
    expect(joined.expiresAt - joined.createdAt).toBe(86_400_000)
    expect(joined.lastActivityAt).toBe(joined.createdAt)
    await waitUntil(
      async () => {
        succeeded(await cast.send(session, [numberedEvent(1)]))
        const { lastActivityAt } = await sessionRow(world(), session.sessionId)
        return lastActivityAt > joined.lastActivityAt || `it is still ${lastActivityAt}`
      },
      { everyMs: 700 }, // No more often, because requests are limited.
    )
  })

  // Must be the last test: it restarts a server.
  test('[S5] a pending lastActivityAt is written when the server stops', async () => {
    const { session } = await cast.participant(await cast.open())
    const [server] = world().servers
    if (server === undefined) throw new Error('the world has a server')
    const api = createApi(server.http)
    const body = { events: [numberedEvent(1)] }
    const { data: before } = succeeded(await api.call(participantRoutes.eventsV4, { session, body }))
    succeeded(await api.call(participantRoutes.discoverV4, { session }))
    await server.restart()
    const { lastActivityAt, status } = await sessionRow(world(), session.sessionId)
    expect(lastActivityAt).toBeGreaterThanOrEqual(Date.parse(before.serverTimestamp))
    expect(status).toBe('active')
    expect((await createApi(server.http).call(participantRoutes.discoverV4, { session })).status).toBe(200)
  })
})

describeInOneMode(
  'sessions bound to an address',
  (world) => {
    const cast = castOf(world)
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

    test('[R13] SESSION_BIND_IP refuses a different address, and the session still works from its own', async () => {
      const experimentId = await cast.open()
      const { token } = await cast.person()
      const home = from('203.0.113.9')
      const joined = await cast.api.call(participantRoutes.joinV4, { token, body: { experimentId }, ...home })
      const session = succeeded(joined).data
      expect((await sessionRow(world(), session.sessionId)).ipAddress).toBe('203.0.113.9')
      expect((await cast.discover(session, home)).status).toBe(200)
      for (const elsewhere of [from('203.0.113.10'), {}])
        expect(refusalOf(await cast.discover(session, elsewhere))).toMatchObject({
          status: 401,
          code: 'SESSION_INVALID',
          details: { reason: 'ip_address' },
        })
      expect((await cast.discover(session, home)).status).toBe(200)
    })
  },
  { env: { SESSION_BIND_IP: 'true', TRUST_PROXY: 'true' } },
)
