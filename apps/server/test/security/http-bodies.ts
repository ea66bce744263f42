import type { RouteSpec } from '@atrium/contract'
import { numberedEvent, smallestDefinition } from '@atrium/testkit'
import fc from 'fast-check'

/** Nothing listens there. */
export const credential = {
  name: 'Nowhere',
  provider: 'Custom',
  baseUrl: 'http://127.0.0.1:9/v1',
  apiKey: 'any',
  model: 'none',
  timeoutMs: 10_000,
}

export const hostileText = fc.oneof(
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

/** Bodies for a route: valid, with one change, hostile, cut short or absent. */
export function bodies(route: RouteSpec, experimentIds: string[]): fc.Arbitrary<Buffer | undefined> {
  const asBuffer = (value: unknown) => Buffer.from(JSON.stringify(value))
  const valid = validBody(route, experimentIds)
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

function validBody({ path }: RouteSpec, experimentIds: string[]): fc.Arbitrary<unknown> | undefined {
  const experimentId = fc.constantFrom(...experimentIds)
  const summary = { totalEvents: 1, duration: 5_000 }
  const events = [numberedEvent(1), { type: 'click', timestamp: 1, data: { x: 1 }, eventId: 'e1' }]
  if (path.endsWith('/join'))
    return experimentId.map((id) => ({ experimentId: id, role: 'participant', metadata: { source: 'lab' } }))
  if (path.endsWith('/v3/participant/events')) return experimentId.map((id) => ({ experimentId: id, events }))
  if (path.endsWith('/events')) return fc.constant({ events })
  if (path.endsWith('/pilots')) return fc.constant({ rooms: 1 })
  if (path.endsWith('/study-draft')) return fc.constant({ description: 'Two people talk for five minutes.' })
  if (path.includes('/credentials')) return path.endsWith('/test') ? undefined : fc.constant(credential)
  if (path.endsWith('/keys'))
    return experimentId.map((id) => ({
      name: 'Fuzz',
      access: 'read',
      experiments: [id],
      expiresAt: '2099-01-01T00:00:00.000Z',
    }))
  if (path.endsWith('/tables'))
    return fc.constant({ name: 'words.csv', text: 'word,size\n"red, or not",1.5\nblue,\n' })
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
  if (path.endsWith('/draft'))
    return fc.nat(3).map((version) => ({ version, basedOn: 1, definition: smallestDefinition() }))
  if (path.endsWith('/drafts')) return fc.constant({ definition: smallestDefinition() })
  if (path.endsWith('/publish')) return fc.nat(3).map((version) => ({ version: version + 1, basedOn: 1 }))
  if (path.endsWith('/tries'))
    return fc.constant({ definition: smallestDefinition(), speed: 5, startAt: 's1', fill: true })
  if (!path.startsWith('/api/experiments') || /export|monitor|activity|plots|people/.test(path))
    return undefined
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
