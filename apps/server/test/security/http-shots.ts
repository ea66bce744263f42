import { allRoutes, type RouteSpec } from '@atrium/contract'
import fc from 'fast-check'
import { bodies, hostileText } from './http-bodies.ts'

export const internalKey = 'the key of the functions'

/** What exists on the server, and the credentials of those who may use it. */
export interface Stage {
  experimentIds: string[]
  credentialIds: string[]
  sessionIds: string[]
  sessionTokens: string[]
  participants: string[]
  researcher: string
  admin: string
  /** API keys of the researcher, which requests present and try to revoke. */
  keys: { keyId: string; key: string }[]
  tableIds: string[]
}

/** One request, with credentials or without. */
export interface Shot {
  route: RouteSpec
  path: string
  /** The path was mutated so far that it may be a different route, or none. */
  isBent: boolean
  headers: Record<string, string>
  body: Buffer | undefined
}

/** Characters that a header may contain on the wire. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 60,
})

/** Requests to every route, from valid ones to hostile ones. */
export function shots(stage: Stage): fc.Arbitrary<Shot> {
  return fc.constantFrom(...allRoutes).chain((route) =>
    fc
      .record({
        address: addresses(route, stage),
        credentials: credentials(stage),
        noise: fc.dictionary(
          fc.constantFrom(
            'x-session-token',
            'idempotency-key',
            'x-request-id',
            'accept',
            'cookie',
            'origin',
            'expect',
          ),
          headerText,
          { maxKeys: 2 },
        ),
        contentType: fc.oneof(
          { weight: 8, arbitrary: fc.constant('application/json') },
          { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=x', '', 'a/b') },
          { weight: 1, arbitrary: headerText },
        ),
        body: bodies(route, stage.experimentIds),
        client: fc.ipV4(),
      })
      .map(({ address, credentials, noise, contentType, body, client }) => ({
        route,
        ...address,
        body,
        headers: {
          'user-agent': 'atrium-test/1.0',
          'x-forwarded-for': client,
          ...(body ? { 'content-type': contentType, 'content-length': String(body.length) } : {}),
          ...noise,
          ...credentials,
        },
      })),
  )
}

const queryNames = [
  'experimentId',
  'roomId',
  'uploadId',
  'key',
  'format',
  'status',
  'limit',
  'before',
  'minutes',
  'synthetic',
  '__proto__',
]

function addresses(route: RouteSpec, stage: Stage): fc.Arbitrary<{ path: string; isBent: boolean }> {
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed())
  const known = route.path.includes(':sessionId')
    ? // Revoking all sessions would leave none for the other requests.
      [...stage.sessionIds.slice(0, 1), `sess_${'A'.repeat(43)}`]
    : route.path.includes(':credentialId')
      ? stage.credentialIds
      : route.path.includes(':keyId')
        ? // The other one stays, for requests to present.
          [...stage.keys.slice(0, 1).map(({ keyId }) => keyId), `key_${'A'.repeat(16)}`]
        : route.path.includes(':tableId')
          ? [...stage.tableIds, `tbl_${'A'.repeat(16)}`]
          : stage.experimentIds
  const parameter = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...known).map((text) => ({ text, isBent: false })) },
    {
      weight: 3,
      arbitrary: hostileText.map((text) => ({
        text: encoded(text),
        isBent: text === '' || text.includes('/'),
      })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('%ff', '%', '%zz', '..', '.', '//', ';')
        .map((text) => ({ text, isBent: true })),
    },
  )
  const query = fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...queryNames), hostileText)
        .map(([name, text]) => `?${name}=${encoded(text)}`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '?format=jsonl',
        '?format=csv',
        '?%ff',
        '?&&=',
        '?experimentId=%00',
        '?limit=2&status=open',
        '?before=5.room_x&minutes=7',
        '?synthetic=true&minutes=7',
        '?a[b]=c',
      ),
    },
  )
  return fc.tuple(parameter, query).map(([{ text, isBent }, end]) => ({
    path: route.path.replace(/:\w+/g, text) + end,
    isBent: isBent && route.path.includes(':'),
  }))
}

function credentials({ participants, researcher, admin, sessionIds, keys }: Stage) {
  const scripts = keys.map(({ key }) => key)
  const tokens = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom(
        ...participants,
        researcher,
        researcher,
        researcher,
        admin,
        admin,
        ...scripts,
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'x',
        'a.b.c',
        `${admin}x`,
        admin.slice(0, -3),
        'atk_',
        `atk_${'A'.repeat(54)}`,
        ...scripts.map((key) => `${key}x`),
      ),
    },
  )
  const sessions = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...sessionIds) },
    { weight: 1, arbitrary: headerText },
  )
  return fc.record(
    {
      authorization: fc.oneof(
        { weight: 5, arbitrary: tokens.map((token) => `Bearer ${token}`) },
        { weight: 1, arbitrary: headerText },
      ),
      'x-session-id': sessions,
      'x-internal-key': fc.oneof(
        { weight: 4, arbitrary: fc.constant(internalKey) },
        { weight: 1, arbitrary: headerText },
      ),
    },
    { requiredKeys: [] },
  )
}
