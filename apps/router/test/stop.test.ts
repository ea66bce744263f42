import { once } from 'node:events'
import { connect } from 'node:net'
import { addressOf, createLogger, listenOn } from '@atrium/program'
import { waitUntil } from '@atrium/testkit'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { readConfig } from '../src/config.ts'
import { defaultLimits } from '../src/limits/limits.ts'
import { buildRouter } from '../src/router.ts'
import { openResponse, sendRequest } from './requests.ts'
import { startWorld } from './router-world.ts'

let stopWorld: (() => Promise<void>) | undefined
afterEach(() => stopWorld?.())

/** Backends that finish their responses when told to. */
async function startSlowWorld() {
  const pending: (() => void)[] = []
  const started = await startWorld({
    pods: 1,
    handler: (_request, response) => {
      response.write('begun ')
      pending.push(() => response.end('done'))
    },
  })
  stopWorld = started.stop
  return { ...started.world, pending }
}

test('SIGTERM: nothing new is accepted, requests in progress are finished, then it exits with 0', async () => {
  const { router, pending } = await startSlowWorld()
  const response = await openResponse(router.http, '/api/slow')
  const port = Number(new URL(router.http).port)
  const held = connect(port, '127.0.0.1')
  let received = ''
  held.on('data', (chunk) => {
    received += chunk
  })
  held.write('GET /api/slow HTTP/1.1\r\nHost: x\r\n\r\n')
  await waitUntil(() => pending.length === 2 || 'not there yet')
  const ended = router.stop()
  await waitUntil(async () => {
    const knock = connect(port, '127.0.0.1')
    const isAccepted = await once(knock, 'connect').then(
      () => true,
      () => false,
    )
    knock.destroy()
    return !isAccepted || 'still accepted'
  })
  held.write('GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n')
  // The router must have read this before the previous response ends the connection; later requests prove that it has.
  for (let turn = 0; turn < 3; turn++) await sendRequest(router.metrics, '/metrics')
  for (const finish of pending) finish()
  let body = ''
  for await (const chunk of response) body += chunk
  expect(body).toBe('begun done')
  await once(held, 'close')
  expect(received).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 503 [\s\S]*UNAVAILABLE/)
  expect(await ended).toBe(0)
})

test('sockets that stay open are closed in the end', async () => {
  const { redis } = await startSlowWorld()
  // In this process, so that the test decides when the time is over.
  const router = await buildRouter(readConfig({ REDIS_URL: redis.url }), createLogger('silent', {}))
  await listenOn(router.server, '127.0.0.1', 0)
  const socket = new WebSocket(`${addressOf(router.server, '127.0.0.1').replace('http', 'ws')}/socket.io/`)
  await once(socket, 'open')
  const closed = once(socket, 'close')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ended = router.stop()
  socket.send('still here')
  expect(String((await once(socket, 'message'))[0])).toBe('still here')
  vi.advanceTimersByTime(defaultLimits.stopTimeoutMs)
  vi.useRealTimers()
  await closed
  await ended
})
