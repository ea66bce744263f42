import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { keys } from '@atrium/coordination'
import { addressOf, createLogger, listenOn } from '@atrium/program'
import { waitUntil } from '@atrium/testkit'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { defaultLimits } from '../src/limits/limits.ts'
import { buildRouter } from '../src/router.ts'
import { echoRequest } from './backend.ts'
import { sendRequest } from './requests.ts'
import { useWorld } from './router-world.ts'

const backendOf = async (address: string, path: string) =>
  (await sendRequest(address, path)).headers['x-backend']

describe('a room that moves', () => {
  const world = useWorld()
  const room = '/api/room/room_moving'
  beforeEach(async () => {
    await world().pin('room_moving', 'pod-0')
    await waitUntil(async () => {
      const backend = await backendOf(world().router.http, room)
      return backend === 'pod-0' || `it is at ${backend}`
    })
  })

  test('is followed even without a message', async () => {
    await world().pin('room_moving', 'pod-1')
    await waitUntil(
      async () => (await backendOf(world().router.http, room)) === 'pod-1' || 'not followed yet',
    )
  })

  test('is followed at once after a message on the bus', async () => {
    const { redis, pin, directory } = world()
    // A router in this process that never looks again without a message.
    const patient = { ...defaultLimits, roomCacheMs: Number.POSITIVE_INFINITY }
    const router = await buildRouter(
      readConfig({ REDIS_URL: redis.url }),
      createLogger('silent', {}),
      patient,
    )
    onTestFinished(() => router.stop())
    await listenOn(router.server, '127.0.0.1', 0)
    const http = addressOf(router.server, '127.0.0.1')
    // Before its Redis has answered, it refuses.
    await waitUntil(async () => (await backendOf(http, room)) === 'pod-0' || 'not found yet')
    for (let turn = 1; turn < 20; turn++) {
      const podId = `pod-${turn % 2}`
      await pin('room_moving', podId)
      await directory.publish('atrium:bus:room_moved', JSON.stringify({ roomId: 'room_moving' }))
      await waitUntil(async () => (await backendOf(http, room)) === podId || 'not followed yet')
    }
  })

  test('malformed messages on the bus are ignored', async () => {
    const { router, directory } = world()
    for (const text of ['', 'null', '{', '[]', '{"roomId":7}', '"room_moving"'])
      await directory.publish('atrium:bus:room_moved', text)
    expect(await backendOf(router.http, room)).toBe('pod-0')
  })
})

describe('a missing pod', () => {
  const world = useWorld({ pods: 3 })

  test('[rule 9] without a lease: its rooms are 503 with Retry-After and never go elsewhere', async () => {
    const { pin, router, pods } = world()
    await pin('room_orphan', 'pod-dead')
    const requestCount = () => pods.reduce((total, pod) => total + pod.requestCount(), 0)
    const before = requestCount()
    for (const method of ['GET', 'POST'])
      for (let turn = 0; turn < 5; turn++) {
        const { status, headers, refusal } = await sendRequest(router.http, '/api/room/room_orphan', {
          method,
        })
        expect([status, headers['retry-after'], refusal.code]).toEqual([503, '1', 'UNAVAILABLE'])
        expect(refusal).toMatchObject({ error: expect.any(String), details: {} })
      }
    expect(requestCount()).toBe(before)
  })

  test('[rule 9] with a lease but no listener: 502 with a body', async () => {
    const { pin, lease, router } = world()
    await lease({ name: 'pod-refusing', origin: 'http://127.0.0.1:1' }, true)
    await pin('room_refused', 'pod-refusing')
    for (const options of [{}, { method: 'POST', body: 'x'.repeat(3_000_000) }]) {
      const { status, refusal } = await sendRequest(router.http, '/api/room/room_refused', options)
      expect([status, refusal.code]).toEqual([502, 'BAD_GATEWAY'])
    }
  })

  test('a lease with an invalid address is ignored', async () => {
    const { pin, lease, router } = world()
    for (const origin of [
      'https://127.0.0.1:1',
      'http://u:p@127.0.0.1:1',
      'file:///etc',
      'x',
      'http://127.0.0.1:1/a',
    ]) {
      await lease({ name: 'pod-odd', origin }, true)
      await pin('room_odd', 'pod-odd')
      expect((await sendRequest(router.http, '/api/room/room_odd')).status).toBe(503)
    }
  })

  test('round-robin skips to the next one', async () => {
    const { router, pods } = world()
    await pods[1]?.stop()
    for (let turn = 0; turn < 12; turn++) expect((await sendRequest(router.http, '/api/x')).status).toBe(200)
  })

  test('[R8] [R10] the participant API is refused in its own envelope, with its limits', async () => {
    const { router, directory, pods } = world()
    for (const { name } of [...pods, { name: 'pod-refusing' }, { name: 'pod-odd' }])
      await directory.del(keys.podLease(name))
    await world().untilBackends(0)
    const { status, text, headers } = await sendRequest(router.http, '/api/v4/participant/discover')
    for (const name of ['limit', 'remaining', 'reset']) expect(headers).toHaveProperty(`x-ratelimit-${name}`)
    expect([status, JSON.parse(text)]).toMatchObject([
      503,
      { status: 'error', error: { code: 'UNAVAILABLE' } },
    ])
  })
})

describe('a backend that fails', () => {
  const world = useWorld({ pods: 1 })

  test('before it has responded: a safe request is tried once more, others are 502', async () => {
    let connections = 0
    const breaking = createServer((socket: Socket) => {
      connections++
      socket.on('error', () => undefined).once('data', () => socket.destroy())
    }).listen(0, '127.0.0.1')
    await once(breaking, 'listening')
    const { port } = breaking.address() as { port: number }
    const { lease, router, untilBackends, pin } = world()
    await lease({ name: 'pod-breaking', origin: `http://127.0.0.1:${port}` })
    await untilBackends(2)
    for (let turn = 0; turn < 4; turn++) expect((await sendRequest(router.http, '/api/x')).status).toBe(200)
    expect(connections).toBeGreaterThan(0)

    await pin('room_breaking', 'pod-breaking')
    const before = connections
    for (const options of [{}, { method: 'POST', body: 'x' }])
      expect((await sendRequest(router.http, '/api/room/room_breaking', options)).refusal.code).toBe(
        'BAD_GATEWAY',
      )
    expect(connections).toBe(before + 2)
    breaking.close()
  })
})

describe('a backend that is not listening', () => {
  const world = useWorld({
    pods: 0,
    handler: (request, response) => void request.pipe(response),
    env: async (startPod) => ({
      ROUTER_BACKENDS: `http://127.0.0.1:1,${(await startPod('pod-there')).origin}`,
    }),
  })

  test('received nothing, so the next one receives the whole request, whatever its method', async () => {
    const body = 'x'.repeat(300_000)
    const { status, text } = await sendRequest(world().router.http, '/api/x', { method: 'POST', body })
    expect([status, text]).toEqual([200, body])
  })
})

describe('Redis', () => {
  const world = useWorld({ handler: echoRequest })

  test.each([['killed'], ['paused']])(
    'that is %s: known rooms keep working, unknown ones are 503',
    async (way) => {
      const { router, redis, pin } = world()
      await pin('room_known', 'pod-1')
      expect(await backendOf(router.http, '/api/room/room_known')).toBe('pod-1')
      const redisIs = (state: string) => async () => {
        const { text } = await sendRequest(router.http, '/health/router')
        return JSON.parse(text).redis === state || text
      }
      if (way === 'killed') await redis.kill()
      else redis.pause()
      await waitUntil(redisIs('down'))
      expect(await backendOf(router.http, '/api/room/room_known')).toBe('pod-1')
      expect(await backendOf(router.http, '/api/x')).toMatch(/^pod-/)
      const unknown = await sendRequest(router.http, '/api/room/room_unknown')
      expect([unknown.status, unknown.headers['retry-after']]).toEqual([503, '1'])
      if (way === 'killed') await redis.restart()
      else redis.resume()
      await waitUntil(redisIs('up'))
      if (way === 'killed') for (const pod of world().pods) await world().lease(pod)
      await world().untilBackends(2)
      expect(await backendOf(router.http, '/api/room/room_unknown')).toMatch(/^pod-/)
    },
  )
})
