import { randomInt } from 'node:crypto'
import { allRoutes, identityRoutes, participantRoutes, type RouteSpec } from '@atrium/contract'
import type { OpenApiDocument, OperationObject } from '@atrium/contract/reference'
import {
  type Api,
  type ApiResponse,
  type CallOptions,
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  numberedEvent,
  type Server,
  startServer,
  succeeded,
} from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestText, sendRaw } from './raw-http.ts'

type Access = 'open' | 'token' | 'session' | 'researcher' | 'admin' | 'internal'
type Verdict = 'let in' | 'UNAUTHENTICATED' | 'FORBIDDEN' | 'SESSION_INVALID' | 'SESSION_MISMATCH'

const identities = [
  'nobody',
  'a garbage token',
  'a token with a flipped byte',
  'a participant',
  'a guest',
  'a researcher',
  'an admin',
  'their own session',
  'an unknown session',
  'a session of another browser',
  'a session with a wrong token',
  'a session of another experiment',
  'a function',
  'a function with a wrong key',
] as const
type Who = (typeof identities)[number]

/** The rules about who may call what. */
function verdictFor(access: Access, who: Who, { guests }: RouteSpec): Verdict {
  switch (access) {
    case 'open':
      return 'let in'
    case 'internal':
      return who === 'a function' ? 'let in' : 'UNAUTHENTICATED'
    case 'session':
      if (who === 'their own session') return 'let in'
      return who === 'a session of another experiment' ? 'SESSION_MISMATCH' : 'SESSION_INVALID'
    case 'token':
      if (who === 'a guest') return guests ? 'let in' : 'FORBIDDEN'
      return roleOf(who) === 'none' ? 'UNAUTHENTICATED' : 'let in'
    case 'researcher':
    case 'admin': {
      const role = roleOf(who)
      if (role === 'none') return 'UNAUTHENTICATED'
      return role === 'admin' || role === access ? 'let in' : 'FORBIDDEN'
    }
  }
}

function roleOf(who: Who): 'none' | 'participant' | 'researcher' | 'admin' {
  if (who === 'a participant' || who === 'a guest') return 'participant'
  if (who === 'a researcher') return 'researcher'
  return who === 'an admin' ? 'admin' : 'none'
}

const internalKey = 'the key of the functions'

let server: Server
let api: Api
let documented: { method: string; path: string; access: Access }[]
let credentials: Record<Who, CallOptions>
let foreignExperiment: string

beforeAll(async () => {
  server = await startServer({ env: { TRUST_PROXY: 'true', INTERNAL_API_KEY: internalKey } })
  api = createApi(server.http)
  const document = (await (await fetch(`${server.http}/api/openapi.json`)).json()) as OpenApiDocument
  documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{(\w+)\}/g, ':$1'),
      access: accessOf(operation.security),
    })),
  )
  const researcher = await createResearcher(api)
  const experimentId = await researcher.openExperiment()
  foreignExperiment = await researcher.openExperiment()
  const person = await createPerson(api)
  const guest = await api.call(identityRoutes.guest, { body: { experimentId } })
  const joined = async () => await (await createPerson(api)).join(experimentId)
  credentials = {
    nobody: {},
    'a garbage token': { token: 'garbage' },
    'a token with a flipped byte': { token: flipped(person.token) },
    'a participant': { token: person.token },
    'a guest': { token: succeeded(guest).idToken },
    'a researcher': { token: researcher.token },
    'an admin': { token: await api.token('admin', ['admin']) },
    'their own session': { session: await joined() },
    'an unknown session': { session: { sessionId: `sess_${'A'.repeat(43)}` } },
    'a session of another browser': {
      session: await joined(),
      headers: { 'user-agent': 'somebody-else/1.0' },
    },
    'a session with a wrong token': {
      session: { sessionId: (await joined()).sessionId, sessionToken: (await joined()).sessionToken },
    },
    'a session of another experiment': {
      session: await joined(),
      query: { experimentId: foreignExperiment },
    },
    'a function': { headers: { 'x-internal-key': internalKey } },
    'a function with a wrong key': { headers: { 'x-internal-key': `${internalKey}s` } },
  }
})
afterAll(() => server.stop())

function accessOf(security: OperationObject['security']): Access {
  const [scheme, ...others] = security
  expect(others.flatMap((other) => Object.keys(other)).filter((name) => name !== 'apiKey')).toEqual([])
  if (!scheme) return 'open'
  if ('session' in scheme) return 'session'
  if ('internal' in scheme) return 'internal'
  const [role] = scheme.idToken ?? []
  return role === 'researcher' || role === 'admin' ? role : 'token'
}

/** Valid enough to reach the handler, where a session of another experiment is detected. */
const bodies: Record<string, unknown> = {
  [participantRoutes.eventsV4.path]: { events: [numberedEvent(1)] },
  [participantRoutes.completeV4.path]: { completionCode: 'SUCCESS' },
}

async function ask(route: RouteSpec, who: Who): Promise<ApiResponse> {
  const { headers, ...options } = credentials[who]
  return await api.call(route, {
    ...options,
    params: { experimentId: 'nothing', sessionId: `sess_${'B'.repeat(43)}` },
    ...(route.body ? { body: bodies[route.path] ?? {} } : {}),
    // Failures are limited by address; a test below covers that limit.
    headers: { ...headers, 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` },
  })
}

test('the document lists every route and says who may call it', () => {
  const expected = allRoutes.map(({ method, path, auth }) => {
    const access: Access = auth === 'none' ? 'open' : auth === 'id_token' ? 'token' : auth
    return { method, path, access }
  })
  const byAddress = (list: typeof documented) =>
    list.map((one) => `${one.method} ${one.path} ${one.access}`).sort()
  expect(byAddress(documented)).toEqual(byAddress(expected))
})

describe.each(allRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_name, route) => {
    test('lets in exactly the callers it documents', async () => {
      const access = documented.find(
        ({ method, path }) => method === route.method && path === route.path,
      )?.access
      if (!access) throw new Error('it is not in the document')
      const seen: Record<string, string> = {}
      const expected: Record<string, string> = {}
      for (const who of identities) {
        const answer = await ask(route, who)
        const isRefused = answer.status === 401 || answer.status === 403
        expect(answer.status, `${who}: ${answer.text}`).not.toBe(429)
        seen[who] = isRefused ? String(codeOf(answer)) : 'let in'
        expected[who] = verdictFor(access, who, route)
      }
      expect(seen).toEqual(expected)
    })
  },
)

test.each([
  ['/api/internal/', 401, 'UNAUTHENTICATED'],
  ['/api/%69nternal/', 404, 'NOT_FOUND'],
  ['/%61pi/internal/', 404, 'NOT_FOUND'],
  ['http://localhost/api/internal/', 404, 'NOT_FOUND'],
])('a proxy that closes /api/internal/ closes every internal route: %s', async (path, status, code) => {
  for (const key of [internalKey, 'guess']) {
    const line = `POST ${path}videos/vid_none/hls-progress`
    const answer = await sendRaw(server.http, requestText(line, [`X-Internal-Key: ${key}`]))
    const isLetIn = status === 401 && key === internalKey
    expect([answer.status, codeOf(answer)]).toEqual(isLetIn ? [400, 'VALIDATION_FAILED'] : [status, code])
  }
})

describe('failed authentication', () => {
  test('[R10] is limited by the real address, whatever X-Forwarded-For says, without affecting valid callers', async () => {
    const plain = await startServer()
    const own = createApi(plain.http)
    const good = await own.token('good')
    const attempts = await Promise.all(
      Array.from({ length: 62 }, (_, at) =>
        own.call(participantRoutes.historyV4, {
          token: 'guess',
          headers: {
            'x-forwarded-for': `10.0.0.${at}`,
            forwarded: `for=10.0.0.${at}`,
            'x-real-ip': `10.0.0.${at}`,
          },
        }),
      ),
    )
    const statuses = attempts.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(60)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    expect((await own.call(participantRoutes.historyV4, { token: good })).status).toBe(200)
    await plain.stop()
  })
})

function flipped(token: string): string {
  const at = token.lastIndexOf('.') + 10
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
}
