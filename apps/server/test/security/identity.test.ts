import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  developmentIdentityRoutes,
  experimentRoutes,
  identityRoutes,
  operationsRoutes,
  participantRoutes,
} from '@atrium/contract'
import {
  type Api,
  codeOf,
  createApi,
  createTestDatabase,
  describeInBothModes,
  type Server,
  smallestDefinition,
  startServer,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  audience,
  type LocalIssuer,
  newKey,
  signedWithPublicKey,
  startIssuer,
  unsigned,
  withPart,
} from './local-issuer.ts'
import { shakeHands } from './shake-hands.ts'

const rsa = newKey('rsa-1', 'RS256')
const ec = newKey('ec-1')
const stranger = newKey('rsa-1', 'RS256')
const now = () => Math.floor(Date.now() / 1000)

let one: LocalIssuer
let two: LocalIssuer
/** Both servers share one database; one is configured with the key set's address, the other discovers it. */
let configured: Server
let discovering: Server

beforeAll(async () => {
  one = await startIssuer([rsa, ec])
  two = await startIssuer([rsa])
  const shared = {
    DATABASE_URL: await createTestDatabase(),
    SESSION_SECRET: 'a secret of some length',
    OIDC_AUDIENCE: audience,
    TRUST_PROXY: 'true',
    ADMIN_USERS: 'chief, boss@example.org, Mike@Example.org',
  }
  const first = { ...shared, OIDC_ISSUER: one.issuer, OIDC_JWKS_URI: one.jwksUri }
  ;[configured, discovering] = await Promise.all([
    startServer({ env: { ...first, NODE_ENV: 'production' } }),
    startServer({ env: { ...shared, OIDC_ISSUER: two.issuer } }),
  ])
})
afterAll(async () => {
  await Promise.all([configured.stop(), discovering.stop()])
  await Promise.all([one.stop(), two.stop()])
})

test('[H1] with an identity provider, a server is called by any name, as before', async () => {
  for (const { http } of [configured, discovering]) {
    const asked = request(http, { path: '/health/live', headers: { host: 'any.example' } }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    expect([answer.statusCode, await text(answer)]).toEqual([200, '{"status":"ok"}'])
    const { code, socket } = await shakeHands(http, '/experiment', { headers: { host: 'any.example' } })
    socket.close()
    expect(code).toBe('SESSION_INVALID')
  }
})

/** From a new address each time: failures are limited by address, and there are many here. */
const historyOf = (api: Api, token: string) =>
  api.call(participantRoutes.historyV4, {
    token,
    headers: { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` },
  })
let people = 0
const freshClaims = (more: JWTPayload = {}) => one.claims({ sub: `person-${++people}`, ...more })

describe('ID tokens of an identity provider', () => {
  test.each([rsa, ec])('[R5] a valid token is accepted ($alg)', async (key) => {
    const api = createApi(configured.http)
    expect((await historyOf(api, await one.sign(freshClaims(), key))).status).toBe(200)
    const several = freshClaims({ aud: ['another', audience], nbf: now() - 5 })
    expect((await historyOf(api, await one.sign(several, key))).status).toBe(200)
  })

  const refused: [string, () => Promise<string> | string][] = [
    ['a flipped byte in its signature', async () => flipped(await one.sign(freshClaims(), rsa), 2)],
    ['a flipped byte in its payload', async () => flipped(await one.sign(freshClaims(), rsa), 1)],
    [
      'replaced claims',
      async () => withPart(await one.sign(freshClaims(), rsa), 1, freshClaims({ admin: true })),
    ],
    ['no signature', async () => withPart(await one.sign(freshClaims(), rsa), 2, '')],
    ['alg none', () => unsigned(freshClaims())],
    ['alg NONE', () => unsigned(freshClaims(), 'NONE')],
    ['HS256 with the public key', () => signedWithPublicKey(freshClaims(), rsa)],
    ['the kid of another key', () => one.sign(freshClaims(), { ...rsa, kid: 'ec-1' })],
    ['a kid that the issuer does not have', () => one.sign(freshClaims(), { ...rsa, kid: 'rsa-9' })],
    ['a stranger’s key under a known kid', () => one.sign(freshClaims(), stranger)],
    ['another audience', () => one.sign(freshClaims({ aud: 'another' }), rsa)],
    ['no audience', () => one.sign(without(freshClaims(), 'aud'), rsa)],
    ['another issuer', () => one.sign(freshClaims({ iss: two.issuer }), rsa)],
    ['an extra slash in its issuer', () => one.sign(freshClaims({ iss: `${one.issuer}/` }), rsa)],
    ['no issuer', () => one.sign(without(freshClaims(), 'iss'), rsa)],
    ['an expiry in the past', () => one.sign(freshClaims({ exp: now() - 60 }), rsa)],
    ['a start in the future', () => one.sign(freshClaims({ nbf: now() + 60 }), rsa)],
    ['no expiry', () => one.sign(without(freshClaims(), 'exp'), rsa)],
    ['no subject', () => one.sign(without(freshClaims(), 'sub'), rsa)],
    ['an empty subject', () => one.sign(freshClaims({ sub: '' }), rsa)],
    ['NUL in its subject', () => one.sign(freshClaims({ sub: 'a\0b' }), rsa)],
    ['a subject that is too long', () => one.sign(freshClaims({ sub: 'x'.repeat(256) }), rsa)],
    ['no token format at all', () => 'not-a-token'],
  ]
  test.each(refused)('[R5] a token with %s is refused', async (_fault, token) => {
    const answer = await historyOf(createApi(configured.http), await token())
    expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHENTICATED'])
  })

  test('[R5] the same subject at two issuers means two people', async () => {
    const [here, there] = [createApi(configured.http), createApi(discovering.http)]
    const researcher = await one.sign(one.claims({ roles: ['researcher'] }), rsa)
    const created = await here.call(experimentRoutes.create, {
      token: researcher,
      body: smallestDefinition(),
    })
    const { experimentId } = succeeded(created)
    await here.call(experimentRoutes.changeStatus, {
      token: researcher,
      params: { experimentId },
      body: { status: 'recruiting' },
    })
    const tokens = [
      await one.sign(one.claims({ sub: 'same' }), rsa),
      await two.sign(two.claims({ sub: 'same' }), rsa),
    ]
    const joins = await Promise.all(
      [here, there].map((api, at) =>
        api.call(participantRoutes.joinV4, { token: tokens[at] ?? '', body: { experimentId } }),
      ),
    )
    const [first, second] = joins.map((answer) => succeeded(answer).data)
    expect(first?.participantId).not.toBe(second?.participantId)
    const { sessions } = succeeded(await historyOf(there, tokens[1] ?? '')).data
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([second?.sessionId])
    expect((await historyOf(there, tokens[0] ?? '')).status).toBe(401)
  })

  test('[R5] a new key is found, and a removed key is not trusted forever', async () => {
    const api = createApi(discovering.http)
    expect((await historyOf(api, await two.sign(two.claims(), rsa))).status).toBe(200)
    const next = newKey('ec-2')
    two.publish([next])
    const token = await two.sign(two.claims({ sub: 'after the rotation' }), next)
    await waitUntil(async () => (await historyOf(api, token)).status === 200 || 'still refused')
    expect((await historyOf(api, await two.sign(two.claims(), rsa))).status).toBe(401)
    two.publish([rsa])
  })
})

describe('guests alongside an identity provider', () => {
  const guestAt = async (server: Server, body: object) =>
    succeeded(await createApi(server.http).call(identityRoutes.guest, { body })).idToken

  test('[R51] need no account there and have a separate issuer', async () => {
    const [here, there] = [createApi(configured.http), createApi(discovering.http)]
    const token = await one.sign(one.claims({ roles: ['researcher'] }), rsa)
    const created = await here.call(experimentRoutes.create, { token, body: smallestDefinition() })
    const { experimentId } = succeeded(created)
    const params = { experimentId }
    await here.call(experimentRoutes.changeStatus, { token, params, body: { status: 'recruiting' } })
    const guest = await guestAt(configured, { experimentId, externalId: 'p-1' })
    const join = async (api: Api, token: string) =>
      succeeded(await api.call(participantRoutes.joinV4, { token, body: { experimentId } })).data
        .participantId
    const participantId = await join(here, guest)
    // Each server trusts its own provider; guests are shared.
    expect(await join(there, await guestAt(discovering, { experimentId, externalId: 'p-1' }))).toBe(
      participantId,
    )
    expect((await historyOf(there, guest)).status).toBe(200)
    const { sub = '' } = decodeJwt(guest)
    expect(await join(here, await one.sign(one.claims({ sub }), rsa))).not.toBe(participantId)
    const pretended = one.claims({ ...decodeJwt(guest), roles: ['admin'] })
    expect((await historyOf(here, await one.sign(pretended, rsa))).status).toBe(401)
    expect((await here.call(experimentRoutes.list, { token: guest })).status).toBe(403)
  })
})

describe('roles', () => {
  let somebodysExperiment: string
  beforeAll(async () => {
    const token = await one.sign(one.claims({ sub: 'somebody-else', roles: ['researcher'] }), ec)
    const made = await createApi(configured.http).call(experimentRoutes.create, {
      token,
      body: smallestDefinition(),
    })
    somebodysExperiment = succeeded(made).experimentId
  })
  const cases: [string, JWTPayload, 'nothing' | 'researcher' | 'admin'][] = [
    ['no claim', {}, 'nothing'],
    ['roles: researcher', { roles: ['researcher'] }, 'researcher'],
    ['roles: admin', { roles: ['other', 'admin'] }, 'admin'],
    ['roles as a string', { roles: 'admin' }, 'nothing'],
    ['admin: true', { admin: true }, 'admin'],
    ['admin as a string', { admin: 'true' }, 'nothing'],
    ['a listed subject', { sub: 'chief' }, 'admin'],
    ['a listed e-mail, verified', { email: 'boss@example.org', email_verified: true }, 'admin'],
    ['a listed e-mail, not verified', { email: 'boss@example.org', email_verified: false }, 'nothing'],
    ['a listed e-mail, without email_verified', { email: 'boss@example.org' }, 'nothing'],
    [
      'a listed e-mail, with email_verified as a string',
      { email: 'boss@example.org', email_verified: 'true' },
      'nothing',
    ],
    ['a listed e-mail in different case', { email: 'BOSS@example.org', email_verified: true }, 'admin'],
    ['an e-mail listed in different case', { email: 'mike@example.org', email_verified: true }, 'admin'],
    [
      'an e-mail that only looks like a listed one',
      { email: 'mi\u212ae@example.org', email_verified: true },
      'nothing',
    ],
    ['a listed e-mail as the subject', { sub: 'boss@example.org' }, 'nothing'],
    ['a listed e-mail as a verified subject', { sub: 'boss@example.org', email_verified: true }, 'nothing'],
    ['a listed subject as the e-mail', { email: 'chief', email_verified: true }, 'nothing'],
    ['a listed subject in different case', { sub: 'Chief' }, 'nothing'],
    ['another e-mail', { email: 'x@example.org', email_verified: true }, 'nothing'],
  ]
  test.each(cases)('[R7] %s gives %j the role %s', async (_name, claims, role) => {
    const api = createApi(configured.http)
    const token = await one.sign(freshClaims(claims), ec)
    const list = await api.call(experimentRoutes.list, { token })
    const params = { experimentId: somebodysExperiment }
    const read = await api.call(experimentRoutes.read, { token, params })
    const expected = { nothing: [403, 403], researcher: [200, 404], admin: [200, 200] }
    expect([list.status, read.status]).toEqual(expected[role])
  })
})

describe('an unavailable issuer', () => {
  test('[R9] is reported as 503, not as a fault of the caller, until it is back', async () => {
    const probe = await startIssuer([])
    await probe.stop()
    const env = { OIDC_ISSUER: probe.issuer, OIDC_AUDIENCE: audience }
    const server = await startServer({ env })
    const api = createApi(server.http)
    const token = await probe.sign(probe.claims(), rsa)
    const away = await historyOf(api, token)
    expect([away.status, codeOf(away)]).toEqual([503, 'UNAVAILABLE'])
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await api.call(operationsRoutes.ready)).status).toBe(200)

    const back = await startIssuer([rsa], Number(new URL(probe.issuer).port))
    back.publish('{"keys":"none"}')
    expect((await historyOf(api, token)).status).toBe(503)
    back.publish('<html>sorry</html>')
    expect((await historyOf(api, token)).status).toBe(503)
    back.publish([rsa])
    expect((await historyOf(api, token)).status).toBe(200)
    await back.stop()
    // The keys are cached now.
    expect((await historyOf(api, token)).status).toBe(200)
    await server.stop()
  })
})

describe('the development issuer', () => {
  test('[R6] is absent if there is an identity provider', async () => {
    for (const { http } of [configured, discovering]) {
      const token = await fetch(`${http}/dev/identity/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"sub":"me"}',
      })
      expect([token.status, await token.json()]).toMatchObject([404, { code: 'NOT_FOUND' }])
      expect((await fetch(`${http}/dev/identity/jwks`)).status).toBe(404)
      expect(await (await fetch(`${http}/api/openapi.json`)).text()).not.toContain('/dev/identity')
    }
  })

  describeInBothModes('[R6] its instances are one issuer', (world) => {
    test('its key set verifies its tokens, whichever instance issued them', async () => {
      const apis = world().servers.map(({ http }) => createApi(http))
      const keySets = await Promise.all(
        apis.map(async (api) => succeeded(await api.call(developmentIdentityRoutes.jwks)).keys),
      )
      const tokens = await Promise.all(apis.map((api, at) => api.token(`person-${at}`, ['researcher'])))
      for (const keys of keySets)
        for (const token of tokens) {
          expect(keys[0]).not.toHaveProperty('d')
          const { payload } = await jwtVerify(token, createLocalJWKSet({ keys } as JSONWebKeySet))
          expect(payload.roles).toEqual(['researcher'])
        }
      for (const api of apis)
        for (const token of tokens) {
          expect(decodeProtectedHeader(token).alg).toBe('ES256')
          expect((await historyOf(api, token)).status).toBe(200)
          expect((await historyOf(api, flipped(token, 1))).status).toBe(401)
          expect((await historyOf(api, unsigned(one.claims()))).status).toBe(401)
        }
    })
  })
})

function flipped(token: string, part: 1 | 2): string {
  const parts = token.split('.')
  const bytes = Buffer.from(parts[part] ?? '', 'base64url')
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  parts[part] = bytes.toString('base64url')
  return parts.join('.')
}

function without(claims: JWTPayload, name: string): JWTPayload {
  const { [name]: _gone, ...rest } = claims
  return rest
}
