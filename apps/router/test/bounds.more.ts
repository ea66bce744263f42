import { connect, type Socket } from 'node:net'
import { addressOf, createLogger, listenOn } from '@atrium/program'
import { type Redis, startRedis, waitUntil } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { defaultLimits } from '../src/limits/limits.ts'
import { buildRouter, type Router } from '../src/router.ts'
import { type Backend, startBackend } from './backend.ts'
import { sendRequest, type TestResponse } from './requests.ts'

/** A backend that holds some requests until it is told to respond. */
async function startHoldingBackend() {
  const held: (() => void)[] = []
  let opened = 0
  const backend = await startBackend('holding', (request, response) => {
    const respond = () => response.end(request.url)
    if (request.url?.includes('held')) held.push(respond)
    else respond()
  })
  backend.server.on('connection', () => opened++)
  return {
    ...backend,
    held: () => held.length,
    /** Connections ever opened to it. */
    opened: () => opened,
    release(): void {
      for (const respond of held.splice(0)) respond()
    },
  }
}

let redis: Redis
let backend: Backend & Awaited<ReturnType<typeof startHoldingBackend>>

beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

/** A router in this process, with limits low enough for a test to reach. */
async function startBounded(limits: Partial<typeof defaultLimits>): Promise<string> {
  backend = await startHoldingBackend()
  const env = { REDIS_URL: redis.url, ROUTER_BACKENDS: `pod=${backend.origin}`, TRUST_PROXY: 'loopback' }
  const router: Router = await buildRouter(readConfig(env), createLogger('silent', {}), {
    ...defaultLimits,
    ...limits,
  })
  onTestFinished(async () => {
    backend.release()
    await backend.stop()
    await router.stop()
  })
  await listenOn(router.server, '127.0.0.1', 0)
  return addressOf(router.server, '127.0.0.1')
}

const patient = { maxQueued: 1_000, queueTimeoutMs: 600_000 }
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const statusesOf = (replies: TestResponse[]) => replies.map(({ status }) => status)

test('[R40] of one client’s 600 pipelined requests one is in progress, and another client is answered meanwhile', async () => {
  const http = await startBounded({})
  // More than a backend or an address may have in progress.
  const count = 600
  const client = connect(Number(new URL(http).port), '127.0.0.1')
  let received = ''
  client.on('data', (chunk) => {
    received += chunk
  })
  for (let index = 0; index < count; index++)
    client.write(`GET /api/x?${index}=${index === 0 ? 'held' : ''} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await waitUntil(() => backend.held() === 1 || 'the first has not arrived')
  for (let turn = 0; turn < 10; turn++)
    expect((await sendRequest(http, `/api/other?${turn}`)).status).toBe(200)
  expect(backend.requestCount()).toBe(1 + 10)
  expect(backend.opened()).toBeLessThanOrEqual(1 + 10)
  backend.release()
  const responses = () => received.match(/^\/api\/x\?\d+=/gm) ?? []
  await waitUntil(() => responses().length === count || `${responses().length} responses`, {
    timeoutMs: 240_000,
  })
  expect(responses()).toEqual(Array.from({ length: count }, (_, index) => `/api/x?${index}=`))
  expect(backend.opened()).toBeLessThanOrEqual(1 + 10)
  client.destroy()
})

test('[R40] a client that pipelines is read no faster than it is answered', async () => {
  const http = await startBounded({})
  const client: Socket = connect(Number(new URL(http).port), '127.0.0.1')
  client.on('error', () => undefined)
  const request = `GET /api/x?held=${'x'.repeat(4_000)} HTTP/1.1\r\nHost: x\r\n\r\n`
  // Far more than the socket buffers hold; a router that keeps reading takes all of it.
  const max = Math.ceil((512 * 2 ** 20) / request.length)
  let written = 0
  const write = () => {
    while (written < max && client.write(request)) written++
  }
  client.on('drain', write)
  write()
  await waitUntil(() => backend.held() === 1 || 'the first has not arrived')
  let others = 0
  await waitUntil(
    async () => {
      const before = written
      for (let turn = 0; turn < 10; turn++)
        expect((await sendRequest(http, `/api/other?${others++}`)).status).toBe(200)
      return written === before || 'it is still reading'
    },
    { timeoutMs: 240_000 },
  )
  expect(written).toBeLessThan(max)
  expect(backend.requestCount()).toBe(1 + others)
  client.destroy()
})

describe('[R40] connections to a backend are bounded', () => {
  test('the next requests wait, those after them are refused with Retry-After, and those that waited are answered', async () => {
    const http = await startBounded({ perBackend: { maxActive: 3, maxQueued: 5, queueTimeoutMs: 600_000 } })
    const first = Array.from({ length: 3 }, () => sendRequest(http, '/api/held'))
    await waitUntil(() => backend.held() === 3 || 'not in progress yet')
    const later = Array.from({ length: 6 }, () => sendRequest(http, '/api/x', { method: 'POST', body: 'x' }))
    const { status, headers, refusal } = await Promise.race(later)
    expect([status, headers['retry-after'], refusal.code]).toEqual([503, '1', 'UNAVAILABLE'])
    expect(backend.requestCount()).toBe(3)
    backend.release()
    expect(statusesOf(await Promise.all(first))).toEqual([200, 200, 200])
    expect(statusesOf(await Promise.all(later)).sort()).toEqual([200, 200, 200, 200, 200, 503])
    expect(backend.opened()).toBeLessThanOrEqual(3)
  })

  test('no request waits forever', async () => {
    const http = await startBounded({ perBackend: { maxActive: 1, maxQueued: 5, queueTimeoutMs: 50 } })
    const first = sendRequest(http, '/api/held')
    await waitUntil(() => backend.held() === 1 || 'not in progress yet')
    expect((await sendRequest(http, '/api/x')).status).toBe(503)
    backend.release()
    expect((await first).status).toBe(200)
    expect((await sendRequest(http, '/api/x')).status).toBe(200)
  })

  test('so are sockets, including those being opened', async () => {
    const http = await startBounded({ socketsPerBackend: 2 })
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    }
    const open: Socket[] = []
    const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    for (let index = 0; index < 2; index++) {
      const socket = connect(Number(new URL(http).port), '127.0.0.1')
      let received = ''
      socket.on('data', (chunk) => {
        received += chunk
      })
      socket.write(`GET /socket.io/ HTTP/1.1\r\n${lines.join('')}\r\n`)
      await waitUntil(() => received.startsWith('HTTP/1.1 101 ') || received)
      open.push(socket)
    }
    const refused = await sendRequest(http, '/socket.io/', { headers })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
    expect(backend.requestCount()).toBe(2)
    for (const socket of open) socket.destroy()
  })
})

test('[R40] one address cannot take every slot: its own requests wait, those of others do not', async () => {
  const http = await startBounded({ perAddress: { ...patient, maxActive: 2 } })
  const crowd = Array.from({ length: 6 }, () => sendRequest(http, '/api/held', from('10.0.0.1')))
  await waitUntil(() => backend.held() === 2 || 'not in progress yet')
  expect((await sendRequest(http, '/api/x', from('10.0.0.2'))).status).toBe(200)
  expect((await sendRequest(http, '/health/router', from('10.0.0.1'))).status).toBe(200)
  expect(backend.held()).toBe(2)
  let answered = 0
  for (const reply of crowd) void reply.then(() => answered++)
  await waitUntil(() => {
    backend.release()
    return answered === crowd.length || `${answered} answered`
  })
  expect(statusesOf(await Promise.all(crowd))).toEqual(Array(6).fill(200))
})

describe('[R40] filling a backend’s queue keeps no other address out', () => {
  test.each([
    ['an address', () => '10.0.0.1'],
    ['a /64 of IPv6', (index: number) => `2001:db8::${(index + 1).toString(16)}`],
  ])('%s', async (_name, addressOfCrowd) => {
    const http = await startBounded({ perBackend: { maxActive: 2, maxQueued: 4, queueTimeoutMs: 600_000 } })
    const order: string[] = []
    const sendAs = async (name: string, path: string, address: string) => {
      const { status } = await sendRequest(http, path, from(address))
      order.push(`${name} ${status}`)
    }
    const crowd = Array.from({ length: 2 }, (_, index) => sendAs('crowd', '/api/held', addressOfCrowd(index)))
    await waitUntil(() => backend.held() === 2 || 'not in progress yet')
    const queued = Array.from({ length: 5 }, (_, index) =>
      sendAs('queued', '/api/held', addressOfCrowd(index + 2)),
    )
    await waitUntil(() => order.length === 1 || 'the queue is not full yet')
    const honest = sendAs('honest', '/api/x', '10.0.0.2')
    await waitUntil(() => order.length === 2 || 'no request has been displaced yet')
    expect(order).toEqual(['queued 503', 'queued 503'])
    backend.release()
    await honest
    // By now two queued requests have reached the backend and are still held.
    expect(order.filter((one) => one.startsWith('queued'))).toEqual(['queued 503', 'queued 503'])
    await waitUntil(() => {
      backend.release()
      return order.length === 8 || `${order.length} answered`
    })
    await Promise.all([...crowd, ...queued])
  })
})

describe('[R40] bodies that never end cost only their senders', () => {
  /** Sends only the beginning of a large body, from one of many addresses. */
  function sendSlowly(http: string, index: number, bytes: number): Socket {
    const socket = connect(Number(new URL(http).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      `POST /api/held HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.0.1.${index % 100}\r\nContent-Length: 900000\r\n\r\n`,
    )
    socket.write(Buffer.alloc(bytes))
    onTestFinished(() => void socket.destroy())
    return socket
  }
  /** Resolves once the router has certainly read what was sent before, because it has read later requests too. */
  async function expectResponses(http: string): Promise<void> {
    for (let turn = 0; turn < 10; turn++) {
      expect((await sendRequest(http, '/api/x', from('10.0.0.2'))).status).toBe(200)
      const body = { ...from('10.0.0.2'), method: 'POST', body: 'whole' }
      expect((await sendRequest(http, '/api/x', body)).status).toBe(200)
    }
  }
  const perBackend = { maxActive: 8, maxQueued: 1_000, queueTimeoutMs: 600_000 }

  test('a few bytes do not reach a backend', async () => {
    const http = await startBounded({ perBackend })
    for (let index = 0; index < 300; index++) sendSlowly(http, index, 1)
    await expectResponses(http)
    expect(backend.held()).toBe(0)
  })

  test('large partial bodies take a quarter of a backend’s slots', async () => {
    const http = await startBounded({ perBackend })
    for (let index = 0; index < 100; index++) sendSlowly(http, index, 100_000)
    await waitUntil(() => backend.held() === 2 || `${backend.held()} held`)
    await expectResponses(http)
    expect(backend.held()).toBe(2)
  })

  test('a client that takes too long receives 408, and its connection is closed', async () => {
    const http = await startBounded({ bodyStartTimeoutMs: 50 })
    const socket = sendSlowly(http, 1, 1)
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    await waitUntil(() => received.includes('REQUEST_TIMEOUT') || received)
    expect(received).toMatch(/^HTTP\/1.1 408 .*connection: close/is)
    await waitUntil(() => socket.destroyed || 'still open', { timeoutMs: 240_000 })
    expect(backend.requestCount()).toBe(0)
  })
})
