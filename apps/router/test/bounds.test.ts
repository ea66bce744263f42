import { connect, type Socket } from 'node:net'
import { addressOf, createLogger, listenOn } from '@atrium/program'
import { type Redis, startRedis, waitUntil } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { usualLimits } from '../src/limits/limits.ts'
import { buildRouter, type Router } from '../src/router.ts'
import { type Backend, startBackend } from './backend.ts'
import { ask, type Reply } from './requests.ts'

/** A backend that keeps some requests until it is told to answer them. */
async function startHoldingBackend() {
  const held: (() => void)[] = []
  let opened = 0
  const backend = await startBackend('holding', (request, response) => {
    const answer = () => response.end(request.url)
    if (request.url?.includes('held')) held.push(answer)
    else answer()
  })
  backend.server.on('connection', () => opened++)
  return {
    ...backend,
    held: () => held.length,
    /** Connections that were ever made to it. */
    opened: () => opened,
    release(): void {
      for (const answer of held.splice(0)) answer()
    },
  }
}

let redis: Redis
let backend: Backend & Awaited<ReturnType<typeof startHoldingBackend>>

beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

/** In this process, with limits that a test reaches. */
async function startBounded(limits: Partial<typeof usualLimits>): Promise<string> {
  backend = await startHoldingBackend()
  const env = { REDIS_URL: redis.url, ROUTER_BACKENDS: `pod=${backend.origin}`, TRUST_PROXY: 'loopback' }
  const router: Router = await buildRouter(readConfig(env), createLogger('silent', {}), {
    ...usualLimits,
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

const patient = { mostWaiting: 1_000, waitMs: 600_000 }
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status)

test('[R40] 3,000 pipelined requests of one client have one under way, and another client is answered meanwhile', async () => {
  const http = await startBounded({})
  const count = 3_000
  const client = connect(Number(new URL(http).port), '127.0.0.1')
  let received = ''
  client.on('data', (chunk) => {
    received += chunk
  })
  for (let index = 0; index < count; index++)
    client.write(`GET /api/x?${index}=${index === 0 ? 'held' : ''} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await waitUntil(() => backend.held() === 1 || 'the first has not arrived')
  for (let turn = 0; turn < 10; turn++) expect((await ask(http, `/api/other?${turn}`)).status).toBe(200)
  expect(backend.asked()).toBe(1 + 10)
  expect(backend.opened()).toBeLessThanOrEqual(1 + 10)
  backend.release()
  const answers = () => received.match(/^\/api\/x\?\d+=/gm) ?? []
  await waitUntil(() => answers().length === count || `${answers().length} answers`, { timeoutMs: 60_000 })
  expect(answers()).toEqual(Array.from({ length: count }, (_, index) => `/api/x?${index}=`))
  expect(backend.opened()).toBeLessThanOrEqual(1 + 10)
  client.destroy()
}, 90_000)

test('[R40] a client that pipelines is read no faster than it is answered', async () => {
  const http = await startBounded({})
  const client: Socket = connect(Number(new URL(http).port), '127.0.0.1')
  client.on('error', () => undefined)
  const request = `GET /api/x?held=${'x'.repeat(4_000)} HTTP/1.1\r\nHost: x\r\n\r\n`
  // Far more than two systems hold between them; a router that reads on takes all of it.
  const most = Math.ceil((512 * 2 ** 20) / request.length)
  let written = 0
  const write = () => {
    while (written < most && client.write(request)) written++
  }
  client.on('drain', write)
  write()
  await waitUntil(() => backend.held() === 1 || 'the first has not arrived')
  let others = 0
  await waitUntil(
    async () => {
      const before = written
      for (let turn = 0; turn < 10; turn++)
        expect((await ask(http, `/api/other?${others++}`)).status).toBe(200)
      return written === before || 'it still reads'
    },
    { timeoutMs: 60_000 },
  )
  expect(written).toBeLessThan(most)
  expect(backend.asked()).toBe(1 + others)
  client.destroy()
}, 90_000)

describe('[R40] connections to a backend are bounded', () => {
  test('the next ones wait, those after them are refused with Retry-After, and who waited is answered', async () => {
    const http = await startBounded({ perBackend: { most: 3, mostWaiting: 5, waitMs: 600_000 } })
    const first = Array.from({ length: 3 }, () => ask(http, '/api/held'))
    await waitUntil(() => backend.held() === 3 || 'not under way yet')
    const later = Array.from({ length: 6 }, () => ask(http, '/api/x', { method: 'POST', body: 'x' }))
    const { status, headers, refusal } = await Promise.race(later)
    expect([status, headers['retry-after'], refusal.code]).toEqual([503, '1', 'UNAVAILABLE'])
    expect(backend.asked()).toBe(3)
    backend.release()
    expect(statusesOf(await Promise.all(first))).toEqual([200, 200, 200])
    expect(statusesOf(await Promise.all(later)).sort()).toEqual([200, 200, 200, 200, 200, 503])
    expect(backend.opened()).toBeLessThanOrEqual(3)
  })

  test('nobody waits for ever', async () => {
    const http = await startBounded({ perBackend: { most: 1, mostWaiting: 5, waitMs: 50 } })
    const first = ask(http, '/api/held')
    await waitUntil(() => backend.held() === 1 || 'not under way yet')
    expect((await ask(http, '/api/x')).status).toBe(503)
    backend.release()
    expect((await first).status).toBe(200)
    expect((await ask(http, '/api/x')).status).toBe(200)
  })

  test('sockets too, those that are being opened included', async () => {
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
    const refused = await ask(http, '/socket.io/', { headers })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
    expect(backend.asked()).toBe(2)
    for (const socket of open) socket.destroy()
  })
})

test('[R40] one address cannot take every turn: its own requests wait, those of others do not', async () => {
  const http = await startBounded({ perAddress: { ...patient, most: 2 } })
  const crowd = Array.from({ length: 6 }, () => ask(http, '/api/held', from('10.0.0.1')))
  await waitUntil(() => backend.held() === 2 || 'not under way yet')
  expect((await ask(http, '/api/x', from('10.0.0.2'))).status).toBe(200)
  expect((await ask(http, '/health/router', from('10.0.0.1'))).status).toBe(200)
  expect(backend.held()).toBe(2)
  let answered = 0
  for (const reply of crowd) void reply.then(() => answered++)
  await waitUntil(() => {
    backend.release()
    return answered === crowd.length || `${answered} answered`
  })
  expect(statusesOf(await Promise.all(crowd))).toEqual(Array(6).fill(200))
})

describe('[R40] who fills the line of a backend keeps nobody else out', () => {
  test.each([
    ['an address', () => '10.0.0.1'],
    ['a /64 of IPv6', (index: number) => `2001:db8::${(index + 1).toString(16)}`],
  ])('%s', async (_name, addressOfCrowd) => {
    const http = await startBounded({ perBackend: { most: 2, mostWaiting: 4, waitMs: 600_000 } })
    const order: string[] = []
    const askAs = async (name: string, path: string, address: string) => {
      const { status } = await ask(http, path, from(address))
      order.push(`${name} ${status}`)
    }
    const crowd = Array.from({ length: 2 }, (_, index) => askAs('crowd', '/api/held', addressOfCrowd(index)))
    await waitUntil(() => backend.held() === 2 || 'not under way yet')
    const line = Array.from({ length: 5 }, (_, index) =>
      askAs('line', '/api/held', addressOfCrowd(index + 2)),
    )
    await waitUntil(() => order.length === 1 || 'the line is not full yet')
    const honest = askAs('honest', '/api/x', '10.0.0.2')
    await waitUntil(() => order.length === 2 || 'nobody has made room yet')
    expect(order).toEqual(['line 503', 'line 503'])
    backend.release()
    await honest
    // Two of the line are asked with the honest one at the latest, and are still held.
    expect(order.filter((one) => one.startsWith('line'))).toEqual(['line 503', 'line 503'])
    await waitUntil(() => {
      backend.release()
      return order.length === 8 || `${order.length} answered`
    })
    await Promise.all([...crowd, ...line])
  })
})

describe('[R40] bodies that never come to their end cost nobody but their senders', () => {
  /** Sends the beginning of a large body, from one of many addresses, and no more. */
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
  /** Back when the router has surely read what was sent before: it reads what comes later, too. */
  async function expectAnswers(http: string): Promise<void> {
    for (let turn = 0; turn < 10; turn++) {
      expect((await ask(http, '/api/x', from('10.0.0.2'))).status).toBe(200)
      const body = { ...from('10.0.0.2'), method: 'POST', body: 'whole' }
      expect((await ask(http, '/api/x', body)).status).toBe(200)
    }
  }
  const perBackend = { most: 8, mostWaiting: 1_000, waitMs: 600_000 }

  test('a few bytes do not reach a backend', async () => {
    const http = await startBounded({ perBackend })
    for (let index = 0; index < 300; index++) sendSlowly(http, index, 1)
    await expectAnswers(http)
    expect(backend.held()).toBe(0)
  })

  test('large parts take a quarter of the places of a backend', async () => {
    const http = await startBounded({ perBackend })
    for (let index = 0; index < 100; index++) sendSlowly(http, index, 100_000)
    await waitUntil(() => backend.held() === 2 || `${backend.held()} held`)
    await expectAnswers(http)
    expect(backend.held()).toBe(2)
  })

  test('who takes too long is told so, and the connection ends', async () => {
    const http = await startBounded({ gatherMs: 50 })
    const socket = sendSlowly(http, 1, 1)
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    await waitUntil(() => received.includes('REQUEST_TIMEOUT') || received)
    expect(received).toMatch(/^HTTP\/1.1 408 .*connection: close/is)
    await waitUntil(() => socket.destroyed || 'still open', { timeoutMs: 30_000 })
    expect(backend.asked()).toBe(0)
  })
})
