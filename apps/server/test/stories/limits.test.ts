import { type LimitedEndpoint, limits, participantRoutes } from '@atrium/contract'
import { type ApiResponse, describeInOneMode, numberedEvent } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf, upTo } from './cast.ts'
import { expectRefused, rateOf } from './rates.ts'
import { sendOnWire } from './wire.ts'

const testsBeganAt = Date.now()

/** The window ends within a minute, plus a second because the header is rounded to whole seconds. */
function expectResetWithinWindow(answer: ApiResponse): void {
  const resetAt = rateOf(answer).reset * 1000
  expect(resetAt).toBeGreaterThan(testsBeganAt)
  expect(resetAt).toBeLessThanOrEqual(Date.now() + (limits.rateWindowSeconds + 1) * 1000)
}

/** Files need a room that asks for one: see files.test.ts. */
type UsualEndpoint = Exclude<LimitedEndpoint, 'files'>

describeInOneMode(
  'rate limits',
  (world) => {
    const cast = castOf(world)

    /** A person whom nothing but the rate limit keeps from calling each limited endpoint. */
    async function caller() {
      const experimentId = await cast.open()
      const { token, session } = await cast.participant(experimentId)
      const calls: Record<UsualEndpoint, () => Promise<ApiResponse>> = {
        join: () => cast.join(token, { experimentId }),
        history: () => cast.api.call(participantRoutes.historyV4, { token }),
        discover: () => cast.discover(session),
        events: () => cast.send(session, [numberedEvent(1)]),
        complete: () => cast.complete(session),
        media: () => cast.api.call(participantRoutes.mediaV4, { session }),
      }
      return calls
    }

    test.each<[UsualEndpoint, number]>([
      ['join', 5],
      ['events', 100],
      ['complete', 3],
      ['discover', 20],
      ['history', 10],
      ['media', 60],
    ])('[R10] %s: %i a minute, shared by all instances, then RATE_LIMITED', async (endpoint, limit) => {
      const [one, other] = [await caller(), await caller()]
      const used = endpoint === 'join' ? 1 : 0 // To get a session, they have already joined once.
      for (const number of upTo(limit - used)) {
        const answer = await one[endpoint]()
        expect(answer.status).toBe(200)
        expect(rateOf(answer)).toMatchObject({ limit, remaining: limit - used - number })
        expectResetWithinWindow(answer)
      }
      // Once per server: each of them knows.
      for (const _ of world().servers) {
        const refused = await one[endpoint]()
        expectRefused(refused)
        expectResetWithinWindow(refused)
      }
      expect((await other[endpoint]()).status).toBe(200)
    })

    test('[R10] each endpoint’s limit is counted separately', async () => {
      const calls = await caller()
      for (const _ of upTo(20)) await calls.discover()
      expectRefused(await calls.discover())
      expect(rateOf(await calls.events())).toMatchObject({ limit: 100, remaining: 99 })
      expect(rateOf(await calls.history())).toMatchObject({ limit: 10, remaining: 9 })
      expect(rateOf(await calls.complete())).toMatchObject({ limit: 3, remaining: 2 })
    })

    test('[R10] a join is counted by identity, not by address or session', async () => {
      const calls = await caller()
      const headers = { 'x-forwarded-for': '198.51.100.1' }
      for (const _ of upTo(4)) expect((await calls.join()).status).toBe(200)
      expectRefused(await calls.join())
      // A classroom that shares one address is never refused.
      const experimentId = await cast.open()
      const pupils = await Promise.all(upTo(30).map(() => cast.person()))
      const joins = pupils.map(({ token }) =>
        cast.api.call(participantRoutes.joinV4, { token, headers, body: { experimentId } }),
      )
      for (const answer of await Promise.all(joins)) expect(answer.status).toBe(200)
    })

    test('[R10] failed authentication is limited to 60 a minute per address, while valid sessions still work', async () => {
      const { session } = await cast.participant(await cast.open())
      const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
      const bad = { sessionId: `sess_${'A'.repeat(43)}` }
      const fail = (number: number) =>
        number % 2 === 0
          ? cast.discover(bad, from('203.0.113.1'))
          : cast.api.call(participantRoutes.historyV4, { token: 'bad', ...from('203.0.113.1') })
      for (const number of upTo(60)) {
        const answer = await fail(number)
        expect(answer.status).toBe(401)
        expect(rateOf(answer)).toMatchObject({ limit: 60, remaining: 60 - number })
      }
      for (const number of upTo(4)) {
        const refused = await fail(number)
        expectRefused(refused)
        expectResetWithinWindow(refused)
      }
      expect((await cast.discover(session, from('203.0.113.1'))).status).toBe(200)
      expect((await cast.discover(bad, from('203.0.113.2'))).status).toBe(401)
    })

    test('[R10] every response has the three headers, refusals included', async () => {
      const experimentId = await cast.open()
      const { session } = await cast.participant(experimentId)
      const address = `${world().any().http}/api/v4/participant`
      const own = { 'user-agent': 'atrium-test/1.0', 'x-session-id': session.sessionId }
      const json = { ...own, 'content-type': 'application/json' }
      const answers: [number, ApiResponse][] = [
        [404, await sendOnWire(`${address}/nothing`)],
        [404, await sendOnWire(address)],
        [404, await sendOnWire(`${address}/discover`, { method: 'POST', headers: own })],
        [401, await sendOnWire(`${address}/discover`)],
        [401, await sendOnWire(`${address}/history`)],
        [403, await sendOnWire(`${address}/discover?experimentId=other`, { headers: own })],
        [400, await sendOnWire(`${address}/events`, { method: 'POST', headers: json, body: '{"events":' })],
        [400, await sendOnWire(`${address}/events`, { method: 'POST', headers: json, body: '{}' })],
        [400, await sendOnWire(`${address}/events`, { method: 'POST', headers: own, body: 'events' })],
        [
          413,
          await sendOnWire(`${address}/events`, {
            method: 'POST',
            headers: json,
            body: ' '.repeat(1_048_577),
          }),
        ],
      ]
      for (const [status, answer] of answers) {
        expect(answer.status).toBe(status)
        expect(answer.body).toMatchObject({ status: 'error', error: { details: expect.any(Object) } })
        const { limit, remaining } = rateOf(answer)
        expect(limit).toBeGreaterThan(0)
        expect(remaining).toBeLessThanOrEqual(limit)
        expectResetWithinWindow(answer)
      }
    })

    test('[R10] refused requests still count against their session', async () => {
      const { session } = await cast.participant(await cast.open())
      expect(rateOf(await cast.send(session, [])).remaining).toBe(99)
      expect(rateOf(await cast.send(session, [numberedEvent(1)])).remaining).toBe(98)
    })
  },
  // Failures come from their own addresses, so that they do not affect other tests.
  { env: { TRUST_PROXY: 'true' } },
)
