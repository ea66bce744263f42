import { limits, operationsRoutes } from '@atrium/contract'
import { keys, PodMetrics } from '@atrium/coordination'
import { metricsOf } from '@atrium/monitoring'
import {
  createApi,
  createPerson,
  createResearcher,
  describeInBothModes,
  openRoomSocket,
  patienceWithDatabase,
  startWorld,
  succeeded,
  undeclaredIn,
  waitUntil,
} from '@atrium/testkit'
import { Redis } from 'ioredis'
import { Value } from 'typebox/value'
import { describe, expect, onTestFinished, test } from 'vitest'

describeInBothModes(
  'health',
  (world) => {
    const pods = () => (world().mode === 'cluster' ? 2 : 1)

    test('every instance is alive, ready and reports its id', async () => {
      for (const [at, { http }] of world().servers.entries()) {
        const { call } = createApi(http)
        expect(succeeded(await call(operationsRoutes.live))).toEqual({ status: 'ok' })
        expect(succeeded(await call(operationsRoutes.ready))).toEqual({
          status: 'ready',
          space: 'enough',
        })
        const pod = succeeded(await call(operationsRoutes.pod))
        expect(pod).toMatchObject({ status: 'healthy', rooms: 0, participants: 0 })
        if (world().mode === 'cluster') expect(pod.podId).toBe(`pod-${at}`)
      }
    })

    test('rooms and participants are counted per instance and in total', async () => {
      const { http } = world().any()
      const api = createApi(http)
      const experimentId = await (await createResearcher(api)).openExperiment()
      const sessions = []
      for (const _ of [1, 2, 3]) sessions.push(await (await createPerson(api)).join(experimentId))
      // [R39] Nobody is connected yet, so the rooms take no capacity.
      expect(succeeded(await api.call(operationsRoutes.pod))).toMatchObject({ rooms: 0, participants: 0 })
      const sockets = await Promise.all(sessions.map((session) => openRoomSocket(http, session)))
      onTestFinished(() => sockets.forEach((socket) => void socket.close()))
      expect(succeeded(await api.call(operationsRoutes.pod))).toMatchObject({ rooms: 3, participants: 3 })
      for (const server of world().servers)
        await waitUntil(async () => {
          const cluster = succeeded(await createApi(server.http).call(operationsRoutes.cluster))
          const isRight =
            cluster.totalPods === pods() &&
            cluster.healthyPods === pods() &&
            cluster.totalRooms === 3 &&
            cluster.totalParticipants === 3
          return isRight || JSON.stringify(cluster)
        })
    })

    test('[R28] a pod that has only reported metrics is listed, but without a lease it is not healthy', async () => {
      const url = world().redis?.url
      if (!url) return
      const redis = new Redis(url)
      const report = { activeRooms: 0, totalParticipants: 0, lastUpdate: Date.now() }
      await redis.set(keys.podMetrics('stranger'), JSON.stringify(report))
      await waitUntil(async () => {
        const cluster = succeeded(await createApi(world().any().http).call(operationsRoutes.cluster))
        return (cluster.totalPods === 3 && cluster.healthyPods === 2) || JSON.stringify(cluster)
      })
      await redis.del(keys.podMetrics('stranger'))
      redis.disconnect()
    })

    test('[R22] app_active_experiments counts the experiments with an open room', async () => {
      const { http, metrics: scrape } = world().any()
      const active = async () => {
        const text = await (await fetch(`${scrape}/metrics`)).text()
        return Number(/^app_active_experiments (\d+)$/m.exec(text)?.[1])
      }
      const before = await active()
      const api = createApi(http)
      const researcher = await createResearcher(api)
      await researcher.openExperiment()
      expect(await active()).toBe(before)
      const experimentId = await researcher.openExperiment()
      for (const _ of [1, 2]) await (await createPerson(api)).join(experimentId)
      expect(await active()).toBe(before + 1)
    })

    test('each instance reports its own metrics', async () => {
      for (const { http } of world().servers) {
        const { call } = createApi(http)
        const figures = succeeded(await call(operationsRoutes.metrics))
        expect(figures.podId).toBe(succeeded(await call(operationsRoutes.pod)).podId)
        expect(figures.requests.total).toBeGreaterThan(0)
        expect(figures.requests.serverErrors).toBe(0)
        expect(figures.memory.rssBytes).toBeGreaterThan(figures.memory.heapUsedBytes)
      }
    })

    test('/metrics is served only on its own port, which serves nothing else', async () => {
      for (const { http, metrics: scrape } of world().servers) {
        expect((await fetch(`${http}/metrics`)).status).toBe(404)
        const answer = await fetch(`${scrape}/metrics`)
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          200,
          expect.stringMatching(/^text\/plain; version=0\.0\.4/),
        ])
        expect((await fetch(`${scrape}/api/experiments`)).status).toBe(404)
        expect((await fetch(`${scrape}/metrics`, { method: 'POST' })).status).toBe(404)
      }
    })
  },
  {
    env: { ...patienceWithDatabase, METRICS_HEARTBEAT_INTERVAL: '200' },
  },
)

describe('the scrape', () => {
  test('contains the contract’s metrics and Node’s own, whatever paths were requested', async () => {
    const world = await startWorld('embedded')
    const { http, metrics: scrape } = world.any()
    const tried = Array.from({ length: 300 }, (_, at) => `/x${at}/${Math.random()}?q=${at}`)
    await Promise.all(tried.map((path) => fetch(http + path, { method: 'DELETE' })))
    await fetch(`${http}/health/live?x=1`)
    await fetch(`${http}/api/experiments/exp_1`)
    await fetch(`${http}/api/experiments/exp_2`)
    const text = await (await fetch(`${scrape}/metrics`)).text()

    const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]))
    const own = [...types].filter(([name]) => !/^(nodejs|process)_/.test(name ?? ''))
    expect(Object.fromEntries(own)).toEqual({
      http_request_duration_seconds: 'histogram',
      http_requests_total: 'counter',
      app_active_experiments: 'gauge',
      app_active_rooms: 'gauge',
      app_storage_free_bytes: 'gauge',
      app_sync_accuracy_ms: 'histogram',
      socketio_connected_clients: 'gauge',
      socketio_disconnect_total: 'counter',
      app_waiting_participants: 'gauge',
      app_waiting_for_capacity: 'gauge',
      app_exports_total: 'counter',
      agent_turns_total: 'counter',
      agent_turn_duration_seconds: 'histogram',
      agent_tokens_total: 'counter',
    })
    expect(undeclaredIn(text, metricsOf('server'))).toEqual([])
    expect(bucketsOf(text, 'http_request_duration_seconds')).toEqual(['0.1', '0.5', '1', '2', '5', '+Inf'])
    expect(bucketsOf(text, 'app_sync_accuracy_ms')).toEqual([
      '1',
      '5',
      '10',
      '25',
      '50',
      '100',
      '250',
      '500',
      '1000',
      '+Inf',
    ])
    expect(labelsOf(text, 'http_request_duration_seconds_count')).toEqual(['method', 'route', 'status'])
    expect(labelsOf(text, 'http_requests_total')).toEqual(['status'])
    const routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route]) => route))
    expect([...routes].sort()).toEqual(['/api/experiments/:experimentId', '/health/live', 'unmatched'])
    expect(text).toContain('http_requests_total{status="404"} 300')
    await world.stop()
  })
})

const bucketsOf = (text: string, name: string): string[] => [
  ...new Set(
    [...text.matchAll(new RegExp(`^${name}_bucket\\{le="([^"]+)"`, 'gm'))].map(([, le]) => le ?? ''),
  ),
]

const labelsOf = (text: string, name: string): string[] => {
  const labels = new RegExp(`^${name}\\{([^}]*)\\}`, 'm').exec(text)?.[1] ?? ''
  return [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label ?? '').sort()
}

describe('a cluster that loses pods or Redis', () => {
  test('[R28] keeps its pods’ metrics in Redis, notices a killed pod, and survives without Redis', async () => {
    const world = await startWorld('cluster', { env: { METRICS_HEARTBEAT_INTERVAL: '200' } })
    const [survivor, victim] = world.servers
    if (!survivor || !victim || !world.redis) throw new Error('two pods and Redis are needed')
    const { call } = createApi(survivor.http)

    const redis = new Redis(world.redis.url)
    redis.on('error', () => undefined)
    for (const pod of ['pod-0', 'pod-1']) {
      const report: unknown = JSON.parse((await redis.get(keys.podMetrics(pod))) ?? 'null')
      expect(Value.Check(PodMetrics, report), JSON.stringify(report)).toBe(true)
      expect(report).toMatchObject({ cpuUsage: expect.any(Number), memoryUsage: expect.any(Number) })
      const ttl = await redis.ttl(`pod:${pod}:metrics`)
      expect(ttl).toBeGreaterThan(limits.podKeyTtlSeconds - 10)
      expect(ttl).toBeLessThanOrEqual(180)
    }
    redis.disconnect()

    await victim.kill()
    await waitUntil(async () => {
      const cluster = succeeded(await call(operationsRoutes.cluster))
      return (cluster.totalPods === 2 && cluster.healthyPods === 1) || JSON.stringify(cluster)
    })

    await world.redis.kill()
    await waitUntil(async () => {
      const { status } = await call(operationsRoutes.cluster)
      return status === 503 || `the cluster’s health is ${status}`
    })
    expect((await call(operationsRoutes.live)).status).toBe(200)
    expect((await call(operationsRoutes.ready)).status).toBe(200)
    expect((await call(operationsRoutes.pod)).status).toBe(200)

    await world.redis.restart()
    await waitUntil(async () => {
      const answer = await call(operationsRoutes.cluster)
      return answer.status === 200 || `the cluster’s health is ${answer.status}`
    })
    await world.stop()
  })
})
