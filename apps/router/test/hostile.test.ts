import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { limits } from '@atrium/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useWorld } from './router-world.ts'

const world = useWorld({ pods: 2, env: async (startPod) => ({ ROUTER_WEB: (await startPod('web')).origin }) })
const known = ['pod-0', 'pod-1', 'web']

/** A host to which nothing must ever be sent. */
let trap: Server
let trapped = 0
let trapAddress = ''

beforeAll(async () => {
  trap = createServer((socket) => {
    trapped++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(trap, 'listening')
  trapAddress = `127.0.0.1:${(trap.address() as { port: number }).port}`
  await world().pin('room_known', 'pod-1')
})
afterAll(() => trap.close())

/** Sends the bytes unchanged and returns everything received. */
async function sendBytes(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(world().router.http).port), '127.0.0.1')
  let received = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.write(Buffer.from(bytes, 'latin1'))
  await once(socket, 'close')
  return received
}

const requestText = (target: string, host: string, more = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`

function expectOwnResponse(response: string): void {
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1])
  const backend = /x-backend: (\S+)/i.exec(response)?.[1]
  if (backend !== undefined) expect(known).toContain(backend)
  else if (status === 302)
    expect(response).toMatch(/location: \/experiment\?roomId=room_[\w-]+&pod=pod-1\r\n/i)
  else expect([400, 503], response).toContain(status)
  expect(trapped).toBe(0)
}

describe('no request target selects a host', () => {
  test('whatever the target and the Host header say', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...['/', '//', '/..', '/./', '%2F', '%2f..', '%00', '\\', '@', ':', '?', '&', '#', ';', '*', '='],
        ...['http://', 'https://', 'TRAP', 'room_known', 'room_', 'roomId=', '/api/room/', '/experiment/'],
        ...['/socket.io/', '/api/experiment/', '/api/', '/health/', '[::1]', 'room_known%40TRAP', '\xff'],
      ),
      fc.string({ unit: fc.constantFrom(...'ab_-.~!$\'()+,[]{}|^`"<>'), maxLength: 3 }),
    )
    const target = fc.tuple(
      fc.constantFrom('/', '', '//TRAP/', 'http://TRAP', 'http://TRAP@', '/\\TRAP/'),
      fc.array(piece, { maxLength: 6 }),
    )
    const host = fc.constantFrom('TRAP', 'study.example.org', 'room_known', 'a@TRAP', 'TRAP/x')
    const property = fc.asyncProperty(target, host, async ([start, pieces], hostHeader) => {
      const withTrap = (text: string) => text.replaceAll('TRAP', trapAddress)
      expectOwnResponse(
        await sendBytes(requestText(withTrap(start + pieces.join('')) || '/', withTrap(hostHeader))),
      )
    })
    await fc.assert(property, { numRuns: 300 })
  })

  test.each([
    ['absolute form', 'http://TRAP/api/room/room_known'],
    ['a user before the host', 'http://room_known@TRAP/api/x'],
    ['a doubled slash', '//TRAP/api/x'],
    ['a doubled parameter', '/socket.io/?roomId=room_known&roomId=TRAP'],
    ['a room that is an address', '/socket.io/?roomId=http://TRAP'],
    ['an encoded slash', '/api/room/..%2F..%2Froom_known'],
  ])('%s', async (_name, target) => {
    expectOwnResponse(await sendBytes(requestText(target.replace('TRAP', trapAddress), trapAddress)))
  })

  test('headers that name a host', async () => {
    const headers = ['X-Forwarded-Host', 'X-Original-URL', 'X-Rewrite-URL', 'Forwarded', 'X-Host', 'Location']
    const more = headers.map((name) => `${name}: http://${trapAddress}/\r\n`).join('')
    expectOwnResponse(await sendBytes(requestText('/api/x', 'x', more)))
  })
})

describe('malformed requests', () => {
  test.each([
    ['no Host', 'GET /api/x HTTP/1.1\r\n\r\n', 400],
    ['not HTTP', 'what is this\r\n\r\n', 400],
    ['a target that is not a path', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
    ],
    [
      'a length and chunks',
      'POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'a coding that would be lost',
      'POST /api/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['endless headers', `GET /api/x HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s is refused with a JSON body', async (_name, bytes, status) => {
    const response = await sendBytes(bytes.replace('\r\n', '\r\nConnection: close\r\n'))
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4))).toMatchObject({
      error: expect.any(String),
      code: status === 431 ? 'HEADERS_TOO_LARGE' : 'VALIDATION_FAILED',
      details: {},
    })
  })
})

describe('[R8] [R10] refusals of the participant API have its envelope and its three headers', () => {
  const discover = '/api/v4/participant/discover'
  test.each([
    ['that is not HTTP', `GET ${discover} HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n`, 400],
    ['in another version', `GET /api/v3/participant/history HTTP/7.7\r\nHost: x\r\n\r\n`, 400],
    ['with endless headers', `GET ${discover} HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['in the absolute form', `GET http://y${discover} HTTP/1.1\r\nHost: x\r\n\r\n`, 400],
    ['that is ambiguous', `POST ${discover} HTTP/1.1\r\nHost: x\r\nConnection: host\r\n\r\n`, 400],
    ['for another path of that version', 'GET /api/v4/else HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 400],
    [
      'with a malformed body',
      `POST ${discover} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n`,
      400,
    ],
    [
      'that asks for a socket',
      `GET ${discover} HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
      404,
    ],
  ])('a request %s', async (_name, bytes, status) => {
    const response = await sendBytes(bytes)
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const [head = '', body = ''] = response.split('\r\n\r\n')
    expect(JSON.parse(body)).toEqual({
      status: 'error',
      error: { code: expect.any(String), message: expect.any(String), details: expect.any(Object) },
    })
    const limit = String(limits.failedAuthenticationsPerWindow)
    expect(head.match(/^x-ratelimit-(?:limit|remaining): \d+/gim)).toEqual([
      `x-ratelimit-limit: ${limit}`,
      `x-ratelimit-remaining: ${limit}`,
    ])
    const reset = Number(/^x-ratelimit-reset: (\d+)\r?$/im.exec(head)?.[1])
    expect(reset).toBeGreaterThan(Date.now() / 1000)
    expect(head).toMatch(/^connection: close\r?$/im)
  })

  test('a valid request before an invalid one gets its response first', async () => {
    const response = await sendBytes(
      `GET /api/x HTTP/1.1\r\nHost: x\r\n\r\nGET ${discover} HTTP/1.1\r\nno colon\r\n\r\n`,
    )
    expect(response.match(/HTTP\/1\.1 \d{3} /g)).toEqual(['HTTP/1.1 200 ', 'HTTP/1.1 400 '])
    expect(response).toMatch(/x-backend: pod-[\s\S]*x-ratelimit-limit: 60[\s\S]*"status":"error"/)
  })
})
