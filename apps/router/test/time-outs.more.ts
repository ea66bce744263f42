import { once } from 'node:events'
import { request } from 'node:http'
import { addressOf, createLogger, listenOn } from '@atrium/program'
import { type Redis, startRedis } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { defaultLimits } from '../src/limits/limits.ts'
import { buildRouter, type Router } from '../src/router.ts'
import { type Backend, startBackend } from './backend.ts'
import { openResponse, sendRequest } from './requests.ts'

/** More than the buffers hold between two sides of which one does not read. */
const large = Buffer.alloc(20 * 2 ** 20)

// In this process, with a timeout below the default of 65 s.
let redis: Redis
let backend: Backend
let router: Router
let http: string

beforeAll(async () => {
  redis = await startRedis()
  backend = await startBackend('slow', (request, response) => {
    request.resume()
    if (request.url?.includes('large')) response.end(large)
    if (request.url?.includes('stalls')) response.write('begun')
    if (request.url?.includes('whole')) request.on('end', () => response.end('whole'))
  })
  const config = readConfig({ REDIS_URL: redis.url, ROUTER_BACKENDS: `pod=${backend.origin}` })
  router = await buildRouter(config, createLogger('silent', {}), {
    ...defaultLimits,
    responseTimeoutMs: 1_500,
  })
  await listenOn(router.server, '127.0.0.1', 0)
  http = addressOf(router.server, '127.0.0.1')
})
afterAll(async () => {
  await backend.stop()
  await router.stop()
  await redis.stop()
})

/** Resolves when a request has timed out: anything that was silent meanwhile was silent for longer. */
async function untilTimedOut(): Promise<void> {
  const { status, refusal } = await sendRequest(http, '/api/never')
  expect([status, refusal.code]).toEqual([504, 'GATEWAY_TIMEOUT'])
}

test('a backend that does not respond is 504 and receives the request once', async () => {
  const before = backend.requestCount()
  await untilTimedOut()
  expect(backend.requestCount()).toBe(before + 1)
})

// What follows only waits, and is not disturbed by the others.
test.concurrent('a client that reads slowly loses nothing', async () => {
  const response = await openResponse(http, '/api/large')
  response.pause()
  await untilTimedOut()
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  expect(bytes).toBe(large.length)
})

test.concurrent('a response that stalls is cut off', async () => {
  const response = await openResponse(http, '/api/stalls')
  response.resume()
  await expect(once(response, 'end')).rejects.toThrow('aborted')
})

test.concurrent('a slow upload may pause, and take longer than the response timeout', async () => {
  const sent = request(`${http}/api/whole`, { method: 'POST', agent: false })
  for (let part = 0; part < 2; part++) {
    sent.write('part')
    await untilTimedOut()
  }
  sent.end()
  const [response] = await once(sent, 'response')
  expect(response.statusCode).toBe(200)
})
