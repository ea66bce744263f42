import { startRouter } from '@atrium/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sendRequest } from './requests.ts'
import { useWorld } from './router-world.ts'

const html = { accept: 'text/html,application/xhtml+xml' }

describe('the path table', () => {
  const world = useWorld({
    pods: 3,
    env: async (startPod) => ({ ROUTER_WEB: (await startPod('web')).origin }),
  })
  const backendOf = async (path: string, headers = {}) =>
    (await sendRequest(world().router.http, path, { headers })).headers['x-backend']

  test.each([
    ['/api/v4/participant/discover'],
    ['/api/experiments'],
    ['/api'],
    ['/health/live'],
    ['/health/ready'],
    ['/dev/identity/jwks'],
    ['/media/1.x/videos/v/hls/master.m3u8'],
    ['/socket.io/?EIO=4&transport=polling'],
    ['/api/room/waiting_exp'],
    ['/api/experiment/exp_1/anything'],
    ['/experiment/room_'],
  ])('%s is distributed over the backends', async (path) => {
    const backends = new Set<unknown>()
    for (let turn = 0; turn < 6; turn++) backends.add(await backendOf(path))
    expect([...backends].sort()).toEqual(['pod-0', 'pod-1', 'pod-2'])
  })

  test.each([
    ['/'],
    ['/assets/app.js'],
    ['/experiment?roomId=room_table&pod=pod-2'],
    ['/experiment/other'],
    ['/experiments/room_table'],
    ['/apis/room/room_table'],
    ['/socket.iox/?roomId=room_table'],
    ['/metrics'],
  ])('%s goes to the web app', async (path) => {
    await world().pin('room_table', 'pod-2')
    expect(await backendOf(path)).toBe('web')
  })

  test.each([
    ['/experiment/room_table'],
    ['/experiment/room_table/files/x'],
    ['/socket.io/?EIO=4&roomId=room_table&transport=websocket'],
    ['/socket.io/?roomId=room%5Ftable'],
    ['/api/room/room_table'],
    ['/api/room/room_table/messages?roomId=room_elsewhere'],
    ['/api/room/room_table.json'],
    ['/api/experiment/exp_1/room_table'],
  ])('[rule 3] %s goes to the pod of the room', async (path) => {
    await world().pin('room_table', 'pod-2')
    for (let turn = 0; turn < 4; turn++) expect(await backendOf(path)).toBe('pod-2')
  })

  test.each([
    ['/socket.io/?roomId=room_table&roomId=room_table'],
    ['/socket.io/?roomId=room_table%2F..'],
    ['/socket.io/?roomId=xroom_table'],
    ['/socket.io/?roomid=room_table'],
    ['/api/room/?roomId=room_table'],
    ['/api/room/xroom_table'],
    ['/api/room/x%2Froom_table'],
    ['/api/room/room%5Ftable'],
    ['/api/room/room_none'],
  ])('[rule 2] %s names no assigned room and is distributed', async (path) => {
    await world().pin('room_table', 'pod-2')
    const backends = new Set<unknown>()
    for (let turn = 0; turn < 6; turn++) backends.add(await backendOf(path))
    expect(backends.size).toBe(3)
  })

  test('[rule 4] a browser is redirected from a room to the page with its pod', async () => {
    await world().pin('room_a-B_9', 'pod-1')
    for (const path of ['/experiment/room_a-B_9', '/experiment/room_a-B_9/', '/experiment/room_a-B_9?x=1']) {
      const { status, headers, text } = await sendRequest(world().router.http, path, { headers: html })
      expect({ status, location: headers.location, text }).toEqual({
        status: 302,
        location: '/experiment?roomId=room_a-B_9&pod=pod-1',
        text: '',
      })
    }
    expect(await backendOf('/experiment/room_a-B_9', { accept: 'application/json' })).toBe('pod-1')
    const posted = await sendRequest(world().router.http, '/experiment/room_a-B_9', {
      method: 'POST',
      headers: html,
    })
    expect(posted.headers['x-backend']).toBe('pod-1')
  })

  test('[rule 4] a pod id cannot break out of the redirect', async () => {
    await world().pin('room_odd', 'a&b=c\r\nd/é')
    const { headers } = await sendRequest(world().router.http, '/experiment/room_odd', { headers: html })
    const { pathname, searchParams } = new URL(headers.location ?? '', 'http://x')
    expect([pathname, [...searchParams]]).toEqual([
      '/experiment',
      [
        ['roomId', 'room_odd'],
        ['pod', 'a&b=c\r\nd/é'],
      ],
    ])
  })

  test('[rule 2] a browser that asks for a room without a pod is answered by a backend', async () => {
    expect(await backendOf('/experiment/room_unassigned', html)).toMatch(/^pod-/)
  })

  test('a draining pod keeps its rooms and receives nothing else', async () => {
    const { lease, pin, pods, untilBackends } = world()
    const [first] = pods
    if (!first) throw new Error('no pod')
    await pin('room_draining', first.name)
    await lease(first, true)
    await untilBackends(2)
    for (let turn = 0; turn < 6; turn++) expect(await backendOf('/api/x')).not.toBe(first.name)
    expect(await backendOf('/api/room/room_draining')).toBe(first.name)
    await lease(first)
    await untilBackends(3)
  })

  test('a new pod receives requests for its rooms at once, and its share of the rest soon', async () => {
    const { startPod, lease, pin, untilBackends } = world()
    const pod = await startPod('pod-new')
    await lease(pod)
    await pin('room_new', pod.name)
    expect(await backendOf('/api/room/room_new')).toBe('pod-new')
    await untilBackends(4)
  })
})

describe('without a web app', () => {
  const world = useWorld({ pods: 1 })
  test('the backends answer for everything', async () => {
    expect((await sendRequest(world().router.http, '/')).headers['x-backend']).toBe('pod-0')
  })

  test('the router serves its own health and metrics', async () => {
    const health = await sendRequest(world().router.http, '/health/router')
    expect([health.status, JSON.parse(health.text)]).toEqual([
      200,
      { status: 'ok', backends: 1, redis: 'up' },
    ])
    await world().pin('room_counted', 'pod-0')
    await sendRequest(world().router.http, '/api/room/room_counted')
    await sendRequest(world().router.http, '/api/room/room_counted')
    await sendRequest(world().router.http, '/api/room/room_missing')
    const { text, headers } = await sendRequest(world().router.metrics, '/metrics')
    expect(headers['content-type']).toContain('text/plain')
    for (const line of [
      'router_requests_total{target="room",status="200"} 2',
      'router_lookups_total{result="redis"} 1',
      'router_lookups_total{result="cache"} 1',
      'router_lookups_total{result="missing"} 1',
      'router_open_sockets 0',
      'router_upgrade_failures_total 0',
      'router_request_duration_seconds_count{target="room"} 2',
    ])
      expect(text).toContain(line)
    expect(text).toContain('nodejs_eventloop_lag_seconds')
  })
})

describe('with configured backends', () => {
  const world = useWorld({
    env: async (startPod) => {
      const named = await startPod('named')
      return { ROUTER_BACKENDS: `${named.origin}, ${named.origin}/` }
    },
  })
  test('only they receive requests without a room; rooms still go to their pods', async () => {
    const { pin, router } = world()
    await pin('room_pinned', 'pod-1')
    for (let turn = 0; turn < 3; turn++)
      expect((await sendRequest(router.http, '/api/x')).headers['x-backend']).toBe('named')
    expect((await sendRequest(router.http, '/api/room/room_pinned')).headers['x-backend']).toBe('pod-1')
    expect(JSON.parse((await sendRequest(router.http, '/health/router')).text).backends).toBe(1)
  })

  test('a pod without a lease is found by its configured or self-reported id', async () => {
    const { pin, router, startPod, directory } = world()
    await pin('room_without_lease', 'no-lease')
    expect((await sendRequest(router.http, '/api/room/room_without_lease')).status).toBe(503)
    const saying = await startPod('saying', (request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ podId: request.url === '/health/pod' ? 'said' : 'asked' }))
    })
    const given = await startPod('given')
    const own = await startRouter({
      redisUrl: world().redis.url,
      env: { ROUTER_BACKENDS: `${saying.origin},by-hand=${given.origin}` },
    })
    onTestFinished(() => own.stop().then(() => undefined))
    await pin('room_said', 'said')
    await pin('room_given', 'by-hand')
    for (let turn = 0; turn < 3; turn++) {
      expect((await sendRequest(own.http, '/api/room/room_said')).headers['x-backend']).toBe('saying')
      expect((await sendRequest(own.http, '/api/room/room_given')).headers['x-backend']).toBe('given')
    }
    await directory.del('room:room_said:pod', 'room:room_given:pod')
  })
})
