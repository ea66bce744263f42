import { participantRoutes } from '@atrium/contract'
import {
  type Api,
  type ApiResponse,
  createApi,
  createPerson,
  createResearcher,
  type Server,
  smallestDefinition,
  startServer,
} from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRaw, type RawConnection, requestText } from './raw-http.ts'
import { expectRefusal } from './refusal.ts'

const discover = '/api/v4/participant/discover'
const events = '/api/v4/participant/events'
const jsonType = 'Content-Type: application/json'

let server: Server
let experimentId: string
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
  const api = createApi(server.http)
  researcher = await createResearcher(api)
  experimentId = await researcher.openExperiment()
  const session = `X-Session-Id: ${(await (await createPerson(api)).join(experimentId)).sessionId}`
  beginUpload(await startUpload(api))
  // Each takes up to 17 s, so they start together.
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
  expect(await researcher.exported(experimentId)).toEqual([])
  await server.stop()
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

test('[FI8] a participant’s file outlives the time that other slow requests have', async () => {
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
