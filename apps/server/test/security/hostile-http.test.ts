import {
  type ErrorCode,
  envelopeKindOf,
  errorCatalogue,
  ParticipantError,
  PlainError,
  participantRoutes,
} from '@atrium/contract'
import {
  type Api,
  type ApiResponse,
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  type Server,
  smallestDefinition,
  startServer,
} from '@atrium/testkit'
import { Value } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openRaw, type RawConnection, requestText, sendRaw } from './raw-http.ts'

const discover = '/api/v4/participant/discover'
const history = '/api/v4/participant/history'
const events = '/api/v4/participant/events'
const jsonType = 'Content-Type: application/json'

let server: Server
let pid: number
let experimentId: string
let session: string
let token: string
let researcher: Awaited<ReturnType<typeof createResearcher>>
type Slow = 'body' | 'plainBody' | 'headers' | 'plainHeaders' | 'pieces' | 'together' | 'second'
let slow: Record<Slow, Promise<ApiResponse | undefined>>
/** A file that a participant sends over a slow line. */
let upload: RawConnection
let uploading: NodeJS.Timeout
let uploadedBytes = 0
/** The slow requests in the order in which they were cut off. */
const cutOff: Slow[] = []

beforeAll(async () => {
  server = await startServer()
  pid = server.pid
  const api = createApi(server.http)
  researcher = await createResearcher(api)
  experimentId = await researcher.openExperiment()
  const person = await createPerson(api)
  token = person.token
  session = `X-Session-Id: ${(await person.join(experimentId)).sessionId}`
  beginUpload(await startUpload(api))
  // These take 17 s, so they start now and the other tests run meanwhile.
  slow = {
    body: drip('body', requestText(`POST ${events}`, [session, jsonType, 'Content-Length: 1000'])),
    plainBody: drip(
      'plainBody',
      requestText('POST /api/experiments', [
        `Authorization: Bearer ${researcher.token}`,
        jsonType,
        'Transfer-Encoding: chunked',
      ]),
      '1\r\n \r\n',
    ),
    headers: drip('headers', `GET ${discover} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `),
    plainHeaders: drip('plainHeaders', 'GET /api/experiments HTTP/1.1\r\nHost: localhost\r\nX-Slow: '),
    // A complete request, followed by one that arrives in pieces. Few of them hold the address, so that it has arrived in
    // time on a busy machine, too.
    pieces: drip(
      'pieces',
      requestText('GET /health/live', []),
      ['G', `ET ${discover.slice(0, 9)}`, `${discover.slice(9)} HTT`, 'P/1.1\r\nHost: x\r\n'],
      2,
    ),
    together: drip(
      'together',
      `${requestText('GET /health/live', [])}GET ${discover} HT`,
      ['TP/1.1\r\nX: '],
      2,
    ),
    second: drip(
      'second',
      requestText('GET /health/live', []) +
        requestText(`POST ${events}`, [session, jsonType, 'Content-Length: 9999']),
      ' ',
      2,
    ),
  }
})

afterAll(async () => {
  clearInterval(uploading)
  upload.socket.destroy()
  await server.stop()
})

afterEach(async () => {
  expect((await sendRaw(server.http, requestText('GET /health/live', []))).status).toBe(200)
  expect(server.pid).toBe(pid)
  expect(await researcher.exported(experimentId)).toEqual([])
})

const uploadStart =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
const uploadEnd = '\r\n--x--\r\n'
const uploadBytes = 1_000_000

/** The session of a participant who is asked for a file. */
async function startUpload(api: Api): Promise<string> {
  const components = [{ id: 'photo', type: 'file_upload', accept: ['image/*'] }]
  const study = smallestDefinition({ states: [{ id: 'ask', components }] })
  const person = await createPerson(api)
  return (await person.join(await researcher.openExperiment(study))).sessionId
}

/** From now on, a line of 2 kB/s: less than a phone has, more than the server asks for. */
function beginUpload(sessionId: string): void {
  upload = openRaw(server.http)
  const path = participantRoutes.fileV4.path.replace(':componentId', 'photo')
  upload.write(
    requestText(
      `POST ${path}`,
      [
        `X-Session-Id: ${sessionId}`,
        'Content-Type: multipart/form-data; boundary=x',
        `Content-Length: ${uploadStart.length + uploadBytes + uploadEnd.length}`,
      ],
      uploadStart,
    ),
  )
  uploading = setInterval(() => {
    uploadedBytes += 1_000
    upload.write('x'.repeat(1_000))
  }, 500)
}

/** The last response to a request that starts like this and then continues slowly. */
async function drip(
  name: Slow,
  start: string,
  drops: string | string[] = ' ',
  expected = 1,
): Promise<ApiResponse | undefined> {
  const connection = openRaw(server.http)
  connection.write(start)
  let written = 0
  const everyMs = typeof drops === 'string' ? 500 : 50
  const dripping = setInterval(
    () => connection.write(typeof drops === 'string' ? drops : (drops[written++] ?? 'x')),
    everyMs,
  )
  const answers = await connection.answers(expected)
  cutOff.push(name)
  clearInterval(dripping)
  connection.socket.destroy()
  return answers[expected - 1]
}

/** R8, R9, R10: the documented refusal, in the envelope of its path. */
function expectRefusal(answer: ApiResponse | undefined, code: ErrorCode, path: string): void {
  expect(answer?.status, answer?.text).toBe(errorCatalogue[code].status)
  if (!answer) return
  expect(codeOf(answer)).toBe(code)
  const isParticipant = envelopeKindOf(path) === 'participant'
  expect(Value.Check(isParticipant ? ParticipantError([code]) : PlainError([code]), answer.body)).toBe(true)
  expect(answer.headers.get('x-request-id')).toBeTruthy()
  if (!isParticipant) return
  for (const name of ['limit', 'remaining', 'reset'])
    expect(answer.headers.get(`x-ratelimit-${name}`), name).toMatch(/^\d+$/)
}

describe('requests that the HTTP parser refuses', () => {
  const big = (bytes: number) => 'a'.repeat(bytes)
  test.each<[string, ErrorCode, string, string]>([
    [
      '100 KB of headers',
      'HEADERS_TOO_LARGE',
      discover,
      requestText(`GET ${discover}`, [`X-Big: ${big(1e5)}`]),
    ],
    ['a 20 KB address', 'HEADERS_TOO_LARGE', '', requestText(`GET /${big(20_000)}`, [])],
    ['NUL in a header', 'VALIDATION_FAILED', discover, requestText(`GET ${discover}`, ['X-Bad: a\0b'])],
    [
      'a control byte in a header',
      'VALIDATION_FAILED',
      discover,
      requestText(`GET ${discover}`, ['X-Bad: \x1b']),
    ],
    ['binary in a header name', 'VALIDATION_FAILED', discover, requestText(`GET ${discover}`, ['X\xff: 1'])],
    ['an unknown method', 'VALIDATION_FAILED', discover, requestText(`BREW ${discover}`, [])],
    ['an unknown protocol', 'VALIDATION_FAILED', discover, `GET ${discover} HTTP/7.3\r\n\r\n`],
    [
      'two lengths',
      'VALIDATION_FAILED',
      events,
      requestText(`POST ${events}`, ['Content-Length: 2', 'Content-Length: 3'], '{}'),
    ],
    ['a negative length', 'VALIDATION_FAILED', events, requestText(`POST ${events}`, ['Content-Length: -1'])],
    [
      'both a length and chunks (request smuggling)',
      'VALIDATION_FAILED',
      events,
      requestText(`POST ${events}`, ['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
    ],
    ['something that is not HTTP', 'VALIDATION_FAILED', '', '\x16\x03\x01\x02\x00\x01\x00\x01'],
    ['an HTTP/2 preface', 'VALIDATION_FAILED', '', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('[R8][R11] %s is refused as %s', async (_name, code, path, bytes) => {
    expectRefusal(await sendRaw(server.http, Buffer.from(bytes, 'latin1')), code, path)
  })

  test('[R8] an invalid chunk is refused in the envelope of its path', async () => {
    const head = requestText(`POST ${events}`, [session, jsonType, 'Transfer-Encoding: chunked'])
    expectRefusal(await sendRaw(server.http, `${head}zz\r\n`), 'VALIDATION_FAILED', events)
  })

  test('[R8] a valid request before garbage gets its own response, then the connection ends', async () => {
    const connection = openRaw(server.http)
    connection.write(`${requestText('GET /health/ready', [])}\x00garbage\r\n\r\n`)
    const answers = await connection.answers(2)
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { status: 'ready', space: 'enough' }],
    ])
  })

  test('[R8] garbage on a reused connection is refused like any other', async () => {
    const connection = openRaw(server.http)
    connection.write(requestText('GET /health/live', []))
    await connection.answers(1)
    connection.write(`BREW ${discover} HTTP/1.1\r\n\r\n`)
    expectRefusal((await connection.answers(2)).at(1), 'VALIDATION_FAILED', discover)
  })

  test('[R8] a request refused in its second chunk gets the envelope of its path', async () => {
    const connection = openRaw(server.http)
    connection.write(`GET ${discover} HTTP/1.1\r\nHost: x\r\n`)
    // The server must have read the first chunk, or both would arrive as one.
    await sendRaw(server.http, requestText('GET /health/live', []))
    connection.write(Buffer.from('X-Bad: a\0b\r\n\r\n', 'latin1'))
    expectRefusal((await connection.answers()).at(0), 'VALIDATION_FAILED', discover)
  })

  test('aborted partial requests leave nothing behind', async () => {
    const event = '{"events":[{"type":"click","timestamp":1}]}'
    const whole = requestText(
      `POST ${events}`,
      [session, jsonType, `Content-Length: ${event.length + 1}`],
      event,
    )
    for (const length of [1, 20, whole.length - event.length, whole.length - 5, whole.length]) {
      const { socket, write } = openRaw(server.http)
      write(whole.slice(0, length))
      await new Promise<void>((resolve) => socket.end(() => resolve()))
      socket.destroy()
    }
  })
})

describe('requests that Node would refuse without a body', () => {
  test('[R8] a missing Host header', async () => {
    for (const path of [discover, '/health/live'])
      expectRefusal(await sendRaw(server.http, `GET ${path} HTTP/1.1\r\n\r\n`), 'VALIDATION_FAILED', path)
    expect((await sendRaw(server.http, 'GET /health/live HTTP/1.0\r\n\r\n')).status).toBe(200)
  })

  test('an unknown Expect header is ignored', async () => {
    const answer = await sendRaw(server.http, requestText('GET /health/live', ['Expect: pizza']))
    expect(answer.body).toEqual({ status: 'ok' })
  })
})

describe('credentials', () => {
  test('[R8] a repeated credential counts as missing', async () => {
    const bearer = `Authorization: Bearer ${token}`
    const twice = await sendRaw(server.http, requestText(`GET ${history}`, [bearer, bearer]))
    expectRefusal(twice, 'UNAUTHENTICATED', history)
    const sessions = await sendRaw(server.http, requestText(`GET ${discover}`, [session, session]))
    expectRefusal(sessions, 'SESSION_INVALID', discover)
    const empty = await sendRaw(server.http, requestText(`GET ${discover}`, [session, 'X-Session-Id:']))
    expectRefusal(empty, 'SESSION_INVALID', discover)
  })

  test('[R12] a repeated session token is wrong', async () => {
    const stkn = 'X-Session-Token: stkn_x'
    const answer = await sendRaw(server.http, requestText(`GET ${discover}`, [session, stkn, stkn]))
    expectRefusal(answer, 'SESSION_INVALID', discover)
  })

  test('[R18] a repeated, empty or overlong idempotency key is refused', async () => {
    const body = '{"events":[{"type":"click","timestamp":1}]}'
    for (const keys of [['a', 'a'], [''], ['x'.repeat(256)], ['\xe9']]) {
      const headers = keys.map((key) => `Idempotency-Key: ${key}`)
      const text = requestText(
        `POST ${events}`,
        [session, jsonType, `Content-Length: ${body.length}`, ...headers],
        body,
      )
      expectRefusal(await sendRaw(server.http, Buffer.from(text, 'latin1')), 'VALIDATION_FAILED', events)
    }
  })

  test('[R5] malformed Authorization headers are not credentials', async () => {
    for (const value of [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${token}`,
      `Bearer ${token} x`,
      token,
      'Bearer \xff',
    ])
      expectRefusal(
        await sendRaw(server.http, requestText(`GET ${history}`, [`Authorization: ${value}`])),
        'UNAUTHENTICATED',
        history,
      )
  })
})

describe('absurd paths and methods', () => {
  test.each<[string, ErrorCode]>([
    ['/api/v4/participant/%ff', 'VALIDATION_FAILED'],
    ['/api/v4/participant/%', 'VALIDATION_FAILED'],
    ['/api/experiments/%ff', 'VALIDATION_FAILED'],
    ['/%00', 'NOT_FOUND'],
    ['//', 'NOT_FOUND'],
    ['//api/v4/participant/discover', 'NOT_FOUND'],
    ['/api/v4/participant/../../../etc/passwd', 'NOT_FOUND'],
    ['/api/v4/participant/%2e%2e/%2e%2e', 'NOT_FOUND'],
    ['/api/v4/participant/discover/', 'NOT_FOUND'],
    ['/API/V4/participant/discover', 'NOT_FOUND'],
    ['/api/v4/participant', 'NOT_FOUND'],
    ['/api/v3/participant/complete', 'NOT_FOUND'],
  ])('[R8] GET %s is %s', async (path, code) => {
    expectRefusal(await sendRaw(server.http, requestText(`GET ${path}`, [])), code, path)
  })

  test('[R8] a path of 10 KB is not found', async () => {
    const path = `/api/v4/participant/${'a'.repeat(10_000)}`
    expectRefusal(await sendRaw(server.http, requestText(`GET ${path}`, [])), 'NOT_FOUND', path)
  })

  test('[R8] an unsupported method of a path is not found', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])
      expectRefusal(
        await sendRaw(server.http, requestText(`${method} ${events}`, [session])),
        'NOT_FOUND',
        events,
      )
  })
})

describe('slow requests', () => {
  test.each(['/nothing', '/dev/nothing', '/api/v4/participant/nothing', '/api/nothing'])(
    '[R8][R40] %s is not found, without waiting for the body',
    async (path) => {
      for (const framing of ['Content-Length: 900000', 'Transfer-Encoding: chunked']) {
        const connection = openRaw(server.http)
        connection.write(requestText(`POST ${path}`, [jsonType, framing]))
        const [answer] = await connection.answers()
        expectRefusal(answer, 'NOT_FOUND', path)
        connection.socket.destroy()
      }
    },
  )

  test('[R11] a slow body is cut off with 408 and the envelope', async () => {
    expectRefusal(await slow.body, 'REQUEST_TIMEOUT', events)
    expectRefusal(await slow.plainBody, 'REQUEST_TIMEOUT', '/api/experiments')
  })

  test('[R8][R10] slow headers are cut off in the envelope of their path, and earlier', async () => {
    expectRefusal(await slow.headers, 'REQUEST_TIMEOUT', discover)
    expectRefusal(await slow.plainHeaders, 'REQUEST_TIMEOUT', '/api/experiments')
    expectRefusal(await slow.pieces, 'REQUEST_TIMEOUT', discover)
    expectRefusal(await slow.together, 'REQUEST_TIMEOUT', discover)
    await slow.body
    expect(cutOff.indexOf('headers')).toBeLessThan(cutOff.indexOf('body'))
  })

  test('[F8] a participant’s file outlives the time that other slow requests have', async () => {
    // Both began after the file did.
    await Promise.all([slow.body, slow.plainBody])
    expect(upload.socket.bytesRead).toBe(0)
    clearInterval(uploading)
    upload.write('x'.repeat(uploadBytes - uploadedBytes) + uploadEnd)
    expect((await upload.answers()).at(0)?.body).toMatchObject({ data: { size: uploadBytes } })
  })

  test('[R11] a slow second request on a connection is cut off like the first', async () => {
    expectRefusal(await slow.second, 'REQUEST_TIMEOUT', events)
  })
})
