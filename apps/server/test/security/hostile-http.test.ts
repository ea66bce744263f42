import type { ErrorCode } from '@atrium/contract'
import { createApi, createPerson, createResearcher, type Server, startServer } from '@atrium/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openRaw, requestText, sendRaw } from './raw-http.ts'
import { expectRefusal } from './refusal.ts'

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

beforeAll(async () => {
  server = await startServer()
  pid = server.pid
  const api = createApi(server.http)
  researcher = await createResearcher(api)
  experimentId = await researcher.openExperiment()
  const person = await createPerson(api)
  token = person.token
  session = `X-Session-Id: ${(await person.join(experimentId)).sessionId}`
})

afterAll(async () => {
  await server.stop()
})

afterEach(async () => {
  expect((await sendRaw(server.http, requestText('GET /health/live', []))).status).toBe(200)
  expect(server.pid).toBe(pid)
  expect(await researcher.exported(experimentId)).toEqual([])
})

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
