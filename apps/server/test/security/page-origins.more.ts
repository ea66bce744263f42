import { participantRoutes } from '@atrium/contract'
import { describeInOneMode } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { shakeHands } from './shake-hands.ts'

const listed = 'https://lab.example.org'
const strangers = [
  'https://lab.example.org.evil.example',
  'http://lab.example.org',
  'https://evil.example',
  'null',
]
const join = participantRoutes.joinV4.path

describeInOneMode(
  'pages of other sites',
  (world) => {
    const preflight = (origin: string, path: string = join) =>
      fetch(world().front().http + path, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      })
    const call = (origin: string) =>
      fetch(world().front().http + join, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: '{}',
      })

    test('a listed site may call the API and read refusals, without credentials', async () => {
      const asked = await preflight(listed)
      expect(asked.status).toBe(204)
      expect(Object.fromEntries(asked.headers)).toMatchObject({
        'access-control-allow-origin': listed,
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': expect.stringMatching(/Authorization.*X-Session-Token/),
        vary: expect.stringContaining('Origin'),
      })
      const refused = await call(listed)
      expect(refused.status).toBe(401)
      expect(refused.headers.get('access-control-allow-origin')).toBe(listed)
      expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After')
      for (const { headers } of [asked, refused])
        expect(headers.has('access-control-allow-credentials')).toBe(false)
    })

    test.each(strangers)('any other site is allowed nothing: %s', async (origin) => {
      for (const answer of [await preflight(origin), await call(origin)]) {
        expect(answer.headers.has('access-control-allow-origin')).toBe(false)
        expect(answer.headers.has('access-control-allow-methods')).toBe(false)
        expect(answer.headers.get('vary')).toContain('Origin')
      }
    })

    test('health and metrics are for nobody’s page', async () => {
      expect((await preflight(listed, '/health/ready')).headers.has('access-control-allow-origin')).toBe(
        false,
      )
    })

    test('a socket from a listed site is asked for its session, one from any other site is refused at once', async () => {
      const codeFrom = async (origin: string) =>
        (await shakeHands(world().front().http, '/experiment', { headers: { origin } })).code
      expect(await codeFrom(listed)).toBe('SESSION_INVALID')
      expect(await Promise.all(strangers.map(codeFrom))).toEqual(strangers.map(() => 'FORBIDDEN'))
    })
  },
  { mode: 'cluster', router: true, env: { PAGE_ORIGINS: listed } },
)
