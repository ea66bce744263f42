import { once } from 'node:events'
import { request } from 'node:http'
import { addressOf, createLogger, listenOn } from '@atrium/program'
import { type Redis, startRedis } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { usualLimits } from '../src/limits/limits.ts'
import { buildRouter, type Router } from '../src/router.ts'
import { type Backend, startBackend } from './backend.ts'
import { ask, askForStream } from './requests.ts'

/** More than fits between two sides of which one does not read. */
const large = Buffer.alloc(20 * 2 ** 20)

// In this process, because nobody waits for 65 s here.
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
  router = await buildRouter(config, createLogger('silent', {}), { ...usualLimits, answerMs: 1_500 })
  await listenOn(router.server, '127.0.0.1', 0)
  http = addressOf(router.server, '127.0.0.1')
})
afterAll(async () => {
  await backend.stop()
  await router.stop()
  await redis.stop()
})

/** Back when the router has run out of patience with a backend: whatever was silent meanwhile was silent for longer. */
async function patienceEnds(): Promise<void> {
  const { status, refusal } = await ask(http, '/api/never')
  expect([status, refusal.code]).toEqual([504, 'GATEWAY_TIMEOUT'])
}

test('a backend that does not answer is 504, and it is asked once', async () => {
  const before = backend.asked()
  await patienceEnds()
  expect(backend.asked()).toBe(before + 1)
})

test('a client that is slow to read loses nothing', async () => {
  const answer = await askForStream(http, '/api/large')
  answer.pause()
  await patienceEnds()
  let bytes = 0
  for await (const chunk of answer) bytes += chunk.length
  expect(bytes).toBe(large.length)
})

test('an answer that stalls is cut', async () => {
  const answer = await askForStream(http, '/api/stalls')
  answer.resume()
  await expect(once(answer, 'end')).rejects.toThrow('aborted')
})

test('a slow upload may take longer than an answer, and pause', async () => {
  const asked = request(`${http}/api/whole`, { method: 'POST', agent: false })
  for (let part = 0; part < 2; part++) {
    asked.write('part')
    await patienceEnds()
  }
  asked.end()
  const [answer] = await once(asked, 'response')
  expect(answer.statusCode).toBe(200)
})
