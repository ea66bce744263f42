import { errorCatalogue, experimentRoutes, limits, participantRoutes, type RouteSpec } from '@atrium/contract'
import {
  type ApiResponse,
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  describeInOneMode,
  numberedEvent,
  smallestDefinition,
  undocumented,
} from '@atrium/testkit'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'

type RawBody = string | Buffer | ReadableStream | undefined

const nested = (levels: number, open = '[', close = ']'): string => open.repeat(levels) + close.repeat(levels)
const eventWith = (fields: string): string => `{"events":[{"type":"click","timestamp":1,${fields}}]}`

describeInOneMode('hostile bodies', (world) => {
  let experimentId: string
  let sessionId: string
  let researcher: Awaited<ReturnType<typeof createResearcher>>
  /** What the tests stored on purpose; the export must contain exactly this. */
  let accepted = 0
  const api = createApi(() => world().any().http)

  beforeAll(async () => {
    accepted = 0
    researcher = await createResearcher(api)
    experimentId = await researcher.openExperiment()
    sessionId = (await (await createPerson(api)).join(experimentId)).sessionId
  })

  afterEach(async () => {
    expect(await researcher.exported(experimentId)).toHaveLength(accepted)
    for (const { http, pid } of world().servers) {
      expect((await fetch(`${http}/health/live`)).status).toBe(200)
      expect(process.kill(pid, 0)).toBe(true)
    }
  })

  /** Sends a body unchanged and checks the response against the documentation. */
  async function post(
    route: RouteSpec,
    body: RawBody,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const response = await fetch(world().any().http + route.path.replace(':experimentId', experimentId), {
      method: route.method,
      headers: {
        'user-agent': 'atrium-test/1.0',
        'content-type': 'application/json',
        'x-session-id': sessionId,
        authorization: `Bearer ${researcher.token}`,
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    })
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
    expect(undocumented(route, answer)).toBeUndefined()
    return answer
  }

  async function expectRefused(
    route: RouteSpec,
    body: RawBody,
    code: keyof typeof errorCatalogue = 'VALIDATION_FAILED',
    headers: Record<string, string> = {},
  ): Promise<void> {
    const answer = await post(route, body, headers)
    expect(codeOf(answer), `${String(body).slice(0, 200)} → ${answer.text.slice(0, 300)}`).toBe(code)
    expect(answer.status).toBe(errorCatalogue[code].status)
  }

  async function expectStored(body: string): Promise<void> {
    const answer = await post(participantRoutes.eventsV4, body)
    expect(answer.status, answer.text).toBe(200)
    accepted++
  }

  /** Completion is limited to three calls per session. */
  async function expectNotCompleted(body: string): Promise<void> {
    const { sessionId: fresh } = await (await createPerson(api)).join(experimentId)
    await expectRefused(participantRoutes.completeV4, body, 'VALIDATION_FAILED', { 'x-session-id': fresh })
  }

  const person = async () => ({ authorization: `Bearer ${(await createPerson(api)).token}` })

  test('[R9] anything but JSON is refused', async () => {
    const { eventsV4 } = participantRoutes
    for (const body of ['', '{', '{"events":[', 'undefined', '{"a":1}}', "{'events':[]}", '\0', '[,]'])
      await expectRefused(eventsV4, body)
    await expectRefused(eventsV4, Buffer.from([0xff, 0xfe, 0x00, 0x80]))
    await expectRefused(eventsV4, undefined)
  })

  test('[R9] an unexpected Content-Type is refused', async () => {
    const { eventsV4 } = participantRoutes
    for (const type of [
      'text/plain',
      'application/xml',
      ';;;',
      'application/x-www-form-urlencoded',
      '\u00e9',
    ])
      await expectRefused(eventsV4, eventWith('"data":{}'), 'VALIDATION_FAILED', { 'content-type': type })
  })

  test('[R9] wrong types are refused with their path', async () => {
    const { eventsV4 } = participantRoutes
    for (const body of ['null', '1', '"x"', '[]', '{}', '{"events":null}', '{"events":{}}', '{"events":[]}'])
      await expectRefused(eventsV4, body)
    for (const event of ['null', '1', '[]', '{}', '{"type":1}', '{"type":"X","timestamp":1}'])
      await expectRefused(eventsV4, `{"events":[${event}]}`)
    for (const time of ['"1"', '-1', '1.5', '1e999', '8640000000000001', 'null', 'true'])
      await expectRefused(eventsV4, `{"events":[{"type":"click","timestamp":${time}}]}`)
    await expectNotCompleted('{"completionCode":["SUCCESS"]}')
  })

  test('one invalid event causes the whole batch to be refused', async () => {
    const events = [...Array.from({ length: 20 }, (_, at) => numberedEvent(at)), { type: 'click' }]
    const answer = await post(participantRoutes.eventsV4, JSON.stringify({ events }))
    expect(answer.body).toMatchObject({
      error: { details: { issues: [{ path: '/events/20/timestamp', message: 'is missing' }] } },
    })
  })

  test('[R11] 501 events and 2 MiB are too much, however they are sent', async () => {
    const { eventsV4 } = participantRoutes
    const events = Array.from({ length: limits.eventsPerBatch + 1 }, (_, at) => numberedEvent(at))
    await expectRefused(eventsV4, JSON.stringify({ events }))
    const megabytes = JSON.stringify({ pad: 'x'.repeat(2 << 20) })
    await expectRefused(eventsV4, megabytes, 'PAYLOAD_TOO_LARGE')
    await expectRefused(eventsV4, new Blob([megabytes]).stream(), 'PAYLOAD_TOO_LARGE')
    await expectRefused(experimentRoutes.create, megabytes, 'PAYLOAD_TOO_LARGE')
    await expectRefused(experimentRoutes.create, new Blob([megabytes]).stream(), 'PAYLOAD_TOO_LARGE')
  })

  test('[E3] deep nesting is refused and does not overflow the stack', async () => {
    for (const levels of [100, 10_000, 200_000]) {
      const objects = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
      for (const deep of [nested(levels), ...(levels < 200_000 ? [objects] : [])]) {
        await expectRefused(participantRoutes.eventsV4, eventWith(`"data":{"a":${deep}}`))
        await expectRefused(participantRoutes.eventsV4, eventWith(`"more":${deep}`))
        await expectRefused(
          experimentRoutes.create,
          JSON.stringify(smallestDefinition()).replace('{', `{"metadata":{"a":${deep}},`),
        )
      }
    }
  })

  test('[R11] metadata that is nested too deeply, too large or cannot be stored is refused', async () => {
    const headers = await person()
    const join = (metadata: string) => `{"experimentId":"${experimentId}","metadata":${metadata}}`
    for (const metadata of [
      `{"a":${nested(10_000)}}`,
      `{"a":${nested(100)}}`,
      '{"a":1e999}',
      `{"a":"${'x'.repeat(9_000)}"}`,
      '[]',
    ])
      await expectRefused(participantRoutes.joinV4, join(metadata), 'VALIDATION_FAILED', headers)
  })

  test('`__proto__` is refused, and a field called constructor is an ordinary field', async () => {
    const poisons = ['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"isAdmin":true}}}']
    for (const poison of poisons) {
      await expectRefused(participantRoutes.eventsV4, eventWith(`"data":${poison}`))
      await expectRefused(experimentRoutes.create, poison)
      await expectNotCompleted(poison)
    }
    await expectStored(eventWith('"data":{"constructor":"Lego","toString":null,"hasOwnProperty":1}'))
    await expectStored(eventWith('"data":{},"constructor":null'))
    const lines = await researcher.exported(experimentId)
    expect(lines.map(({ data, extra }) => JSON.stringify(extra ?? data))).toEqual([
      '{"constructor":"Lego","toString":null,"hasOwnProperty":1}',
      '{"constructor":null}',
    ])
  })

  test('unknown top-level fields are ignored', async () => {
    await expectStored(`{"status":"completed","admin":true,${eventWith('"data":{}').slice(1)}`)
    const body = JSON.stringify({ experimentId, participantId: 'part_mine', isAdmin: true })
    expect((await post(participantRoutes.joinV4, body, await person())).status).toBe(200)
    await expectRefused(experimentRoutes.create, JSON.stringify({ ...smallestDefinition(), admin: true }))
  })

  test('NUL and lone surrogates are refused in ids and kept in free-form data', async () => {
    for (const bad of ['\\u0000', 'a\\ud800', '\\udc00b', '\\u0007'])
      for (const field of ['stateId', 'componentId', 'eventId'])
        await expectRefused(participantRoutes.eventsV4, eventWith(`"${field}":"${bad}"`))
    await expectNotCompleted('{"completionCode":"\\u0000"}')
    await expectRefused(participantRoutes.joinV4, '{"experimentId":"\\u0000"}')
    await expectRefused(experimentRoutes.create, '{"name":"\\ud800","states":[{"id":"s","components":[]}]}')
    await expectStored(eventWith('"data":{"k\\u0000":"\\u0000 \\ud800"}'))
    expect((await researcher.exported(experimentId)).at(-1)?.data).toEqual({ 'k\0': '\0 \ud800' })
  })

  test('NUL in a path is refused before it reaches the database', async () => {
    const { http } = world().any()
    for (const path of ['', '/export', '/monitor', '/rooms', '/activity', '/plots', '/people']) {
      const answer = await fetch(`${http}/api/experiments/%00a${path}`, {
        headers: { authorization: `Bearer ${researcher.token}` },
      })
      expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'VALIDATION_FAILED' }])
    }
  })

  test('a very long id in a path is an unknown experiment', async () => {
    const answer = await api.call(experimentRoutes.read, {
      token: researcher.token,
      params: { experimentId: 'x'.repeat(8_000) },
    })
    expect(codeOf(answer)).toBe('EXPERIMENT_NOT_FOUND')
  })

  test('[E3] numbers that no column can hold are refused', async () => {
    await expectRefused(participantRoutes.eventsV4, eventWith('"data":{"a":[1e999]}'))
    await expectRefused(participantRoutes.eventsV4, eventWith('"data":{"a":-1e999}'))
    await expectNotCompleted(
      '{"completionCode":"SUCCESS","summary":{"totalEvents":99999999999999999999,"duration":1}}',
    )
    await expectRefused(experimentRoutes.create, JSON.stringify(smallestDefinition({ capacity: 1e300 })))
  })

  describe('hostile queries', () => {
    test.each(['experimentId=a&experimentId=b', 'experimentId=%00', 'roomId='])(
      '[R16] ?%s is refused',
      async (query) => {
        const answer = await fetch(`${world().any().http}${participantRoutes.discoverV4.path}?${query}`, {
          headers: { 'x-session-id': sessionId, 'user-agent': 'atrium-test/1.0' },
        })
        expect([answer.status, await answer.json()]).toMatchObject([
          400,
          { error: { code: 'VALIDATION_FAILED' } },
        ])
      },
    )
  })
})
