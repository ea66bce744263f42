import { Agent, request as httpRequest } from 'node:http'
import { allRoutes, identityRoutes, type RouteSpec } from '@atrium/contract'
import {
  type ApiResponse,
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  describeInBothModes,
  numberedEvent,
  smallestDefinition,
  succeeded,
  undocumented,
} from '@atrium/testkit'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { seeded } from '../seed.ts'

const internalKey = 'the key of the functions'

/** Set TEST_SEED for other requests, FUZZ_RUNS for more of them. */
const runs = Number(process.env.FUZZ_RUNS ?? 1_000)

interface Stage {
  experimentIds: string[]
  sessionIds: string[]
  sessionTokens: string[]
  participants: string[]
  researcher: string
  admin: string
}

interface Shot {
  route: RouteSpec
  path: string
  /** The path was mutated so far that it may be a different route, or none. */
  isBent: boolean
  headers: Record<string, string>
  body: Buffer | undefined
}

describeInBothModes(
  'random and hostile requests',
  (world) => {
    let stage: Stage

    beforeAll(async () => {
      const api = createApi(() => world().any().http)
      const researcher = await createResearcher(api)
      const experimentIds = [
        await researcher.openExperiment(),
        await researcher.openExperiment(smallestDefinition({ matching: { groupSize: 3 }, capacity: 3 })),
      ]
      const people = await Promise.all(Array.from({ length: 6 }, () => createPerson(api)))
      const joined = await Promise.all(people.map((person, at) => person.join(experimentIds[at % 2] ?? '')))
      const guests = await Promise.all(
        experimentIds.map((id) => api.call(identityRoutes.guest, { body: { experimentId: id } })),
      )
      stage = {
        experimentIds,
        sessionIds: joined.map(({ sessionId }) => sessionId),
        sessionTokens: joined.map(({ sessionToken }) => sessionToken),
        participants: [
          ...people.map(({ token }) => token),
          ...guests.map((answer) => succeeded(answer).idToken),
        ],
        researcher: researcher.token,
        admin: await api.token('fuzz-admin', ['admin']),
      }
    })

    test(`every route answers only what it documents (TEST_SEED=${seeded.seed})`, async () => {
      const reached = new Set<string>()
      await fc.assert(
        fc.asyncProperty(shots(stage), async (shot) => {
          const answer = await fire(world().any().http, shot)
          reached.add(`${answer.status}`)
          expect(faultOf(shot, answer), `${shot.route.method} ${shot.path} → ${answer.text}`).toBeUndefined()
        }),
        { ...seeded, numRuns: runs, endOnFailure: true },
      )
      // A fuzzer whose requests never pass authentication proves nothing.
      expect([...reached]).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404']))
      for (const { http } of world().servers) {
        expect((await fetch(`${http}/health/live`)).status).toBe(200)
        const { requests } = (await (await fetch(`${http}/api/health/metrics`)).json()) as {
          requests: { serverErrors: number }
        }
        expect(requests.serverErrors).toBe(0)
      }
    })
  },
  // Each request claims its own address; otherwise the limit on failures would refuse nearly all of them.
  { env: { TRUST_PROXY: 'true', INTERNAL_API_KEY: internalKey } },
)

function faultOf({ route, isBent }: Shot, answer: ApiResponse): string | undefined {
  if (answer.status >= 500) return `a defect: ${answer.status}`
  if (isBent && (codeOf(answer) === 'NOT_FOUND' || codeOf(answer) === 'VALIDATION_FAILED')) return undefined
  return undocumented(route, answer)
}

/** With node:http, because fetch refuses to send many hostile requests. */
function fire(address: string, { route, path, headers, body }: Shot): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false })
    const request = httpRequest(address + path, { method: route.method, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.startsWith('application/json')
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(response.headers as Record<string, string>),
          text,
          body: isJson ? JSON.parse(text) : undefined,
        })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '__proto__',
    'constructor',
    '../..',
    "' OR 1=1 --",
    '{{code}}',
    'x'.repeat(5_000),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, -1, 0, 1.5, 1e300, -1e300, 2 ** 53, 1e20, [], {}, [[]]),
  fc.jsonValue({ maxDepth: 3 }),
)
/** Characters that a header may contain on the wire. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 60,
})

function shots(stage: Stage): fc.Arbitrary<Shot> {
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
        body: bodies(route, stage),
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
  '__proto__',
]

function addresses(route: RouteSpec, stage: Stage): fc.Arbitrary<{ path: string; isBent: boolean }> {
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed())
  const known = route.path.includes(':sessionId')
    ? // Revoking all sessions would leave none for the other requests.
      [...stage.sessionIds.slice(0, 1), `sess_${'A'.repeat(43)}`]
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
        '?a[b]=c',
      ),
    },
  )
  return fc.tuple(parameter, query).map(([{ text, isBent }, end]) => ({
    path: route.path.replace(/:\w+/g, text) + end,
    isBent: isBent && route.path.includes(':'),
  }))
}

function credentials({ participants, researcher, admin, sessionIds }: Stage) {
  const tokens = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom(...participants, researcher, researcher, researcher, admin, admin),
    },
    { weight: 1, arbitrary: fc.constantFrom('x', 'a.b.c', `${admin}x`, admin.slice(0, -3)) },
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

function bodies(route: RouteSpec, stage: Stage): fc.Arbitrary<Buffer | undefined> {
  const asBuffer = (value: unknown) => Buffer.from(JSON.stringify(value))
  const valid = validBody(route, stage)
  if (!valid)
    return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.constant(Buffer.from('{}')))
  return fc.oneof(
    { weight: 3, arbitrary: valid.map(asBuffer) },
    { weight: 5, arbitrary: valid.chain(mutated).map(asBuffer) },
    { weight: 1, arbitrary: hostileValue.map(asBuffer) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: valid.map((value) => asBuffer(value).subarray(0, -2)) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

function validBody({ path }: RouteSpec, { experimentIds }: Stage): fc.Arbitrary<unknown> | undefined {
  const experimentId = fc.constantFrom(...experimentIds)
  const summary = { totalEvents: 1, duration: 5_000 }
  const events = [numberedEvent(1), { type: 'click', timestamp: 1, data: { x: 1 }, eventId: 'e1' }]
  if (path.endsWith('/join'))
    return experimentId.map((id) => ({ experimentId: id, role: 'participant', metadata: { source: 'lab' } }))
  if (path.endsWith('/v3/participant/events')) return experimentId.map((id) => ({ experimentId: id, events }))
  if (path.endsWith('/events')) return fc.constant({ events })
  const video = videoBody(path)
  if (video) return fc.constant(video)
  if (path.endsWith('/complete')) return fc.constant({ completionCode: 'SUCCESS', finalState: 's2', summary })
  if (path.endsWith('/status'))
    return fc.constantFrom('recruiting', 'recruiting', 'paused', 'closed').map((status) => ({ status }))
  if (path.endsWith('/shares'))
    return fc.constant({
      shares: [
        { user: 'ada@example.org', access: 'view' },
        { user: 'bob', access: 'edit' },
      ],
    })
  if (path.endsWith('/guest'))
    return experimentId.map((id) => ({ experimentId: id, externalId: 'p-1', guestSecret: 'gst_x' }))
  if (path.endsWith('/token')) return fc.constant({ sub: 'someone', name: 'Some One', roles: ['researcher'] })
  if (path.endsWith('/dry-run'))
    return fc.constant({
      arrivals: { people: 20, perMinute: 6, attributes: { age: { 17: 1, 30: 2 } }, leaveAfterMs: 60_000 },
      matching: { groupSize: 2, filters: [{ attribute: 'age', min: 18 }], exclusions: [{ same: 'age' }] },
      seed: 'fuzz',
    })
  if (!path.startsWith('/api/experiments') || /export|monitor|activity/.test(path)) return undefined
  return fc.constant(
    smallestDefinition({
      roles: ['buyer'],
      matching: { groupSize: { min: 1, max: 2 } },
      completion: { codes: { SUCCESS: 'C1' }, redirectUrl: 'https://example.org/?c={{code}}' },
    }),
  )
}

function videoBody(path: string): object | undefined {
  const upload = { uploadId: 'u1', key: 'videos/vid_1/original/film.mp4' }
  if (path.endsWith('/initiate'))
    return { filename: 'film.mp4', contentType: 'video/mp4', fileSize: 300_000_000 }
  if (path.endsWith('/sign')) return { ...upload, partNumbers: [1, 2] }
  if (path.endsWith('/multipart/complete')) return { ...upload, parts: [{ partNumber: 1, etag: '"e1"' }] }
  if (path.endsWith('/abort')) return upload
  if (path.endsWith('/hls-submitted'))
    return { jobId: 'j1', durationMs: 5_000, width: 640, height: 360, levels: ['360p'] }
  if (path.endsWith('/hls-progress')) return { jobId: 'j1', progress: 0.5 }
  if (path.endsWith('/hls-complete')) return { status: 'failed', error: 'It is no video.', jobId: 'j1' }
  return undefined
}

/** The body with one value replaced or removed, or with one added. */
function mutated(body: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(body)
  return fc
    .tuple(fc.constantFrom(...places), fc.constantFrom('replace', 'remove', 'add'), hostileText, hostileValue)
    .map(([place, how, name, value]) => change(body, place, how, name, value))
}

type Place = readonly (string | number)[]

function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Object.entries(value).flatMap(([key, child]) =>
    placesIn(child, [...at, Array.isArray(value) ? Number(key) : key]),
  )
  return [at, ...inner]
}

function change(value: unknown, [first, ...rest]: Place, how: string, name: string, fresh: unknown): unknown {
  if (first === undefined)
    return how === 'add' && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value, [name]: fresh }
      : fresh
  if (Array.isArray(value))
    return value.map((item, at) => (at === first ? change(item, rest, how, name, fresh) : item))
  const object = value as Record<string, unknown>
  const { [first]: old, ...others } = object
  if (how === 'remove' && rest.length === 0) return others
  return { ...object, [first]: change(old, rest, how, name, fresh) }
}
