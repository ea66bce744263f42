import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { keys } from '@atrium/coordination'
import { waitUntil } from '@atrium/testkit'
import { Server as SocketServer } from 'socket.io'
import { io } from 'socket.io-client'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { sendRequest } from './requests.ts'
import { useWorld } from './router-world.ts'

const world = useWorld()
const address = (path: string) => world().router.http.replace('http', 'ws') + path

async function open(path: string): Promise<WebSocket> {
  const socket = new WebSocket(address(path), { maxPayload: 64 * 2 ** 20 })
  await once(socket, 'open')
  return socket
}
const nextMessage = async (socket: WebSocket): Promise<Buffer> => (await once(socket, 'message'))[0]
const openSockets = async () =>
  /router_open_sockets (\d+)/.exec((await sendRequest(world().router.metrics, '/metrics')).text)?.[1]

test('[rule 5] a socket that names a room goes to the pod of the room', async () => {
  await world().pin('room_socket', 'pod-1')
  for (let turn = 0; turn < 4; turn++) {
    const socket = await open('/socket.io/?EIO=4&transport=websocket&roomId=room_socket')
    socket.send('who?')
    expect(String(await nextMessage(socket))).toBe(
      'pod-1 /socket.io/?EIO=4&transport=websocket&roomId=room_socket',
    )
    socket.close()
  }
})

test('[rule 6] a socket without a room goes to any instance', async () => {
  const names = new Set<string>()
  for (let turn = 0; turn < 4; turn++) {
    const socket = await open('/socket.io/?EIO=4&transport=websocket')
    socket.send('who?')
    names.add(String(await nextMessage(socket)).slice(0, 5))
    socket.close()
  }
  expect([...names].sort()).toEqual(['pod-0', 'pod-1'])
})

test('[R30] sockets to a pod whose lease has expired are closed even if the pod keeps them open; others stay', async () => {
  const hung = await world().startPod('pod-hung')
  await world().lease(hung)
  await world().pin('room_hung', 'pod-hung')
  await world().pin('room_well', 'pod-0')
  const [lost, kept] = [
    await open('/socket.io/?roomId=room_hung'),
    await open('/socket.io/?roomId=room_well'),
  ]
  const gone = once(lost, 'close')
  await world().directory.del(keys.podLease('pod-hung'))
  await gone
  kept.send('still there?')
  expect(String(await nextMessage(kept))).toMatch(/^pod-0 |still there/)
  kept.close()
})

test('[R30] when a room moves, its sockets to the previous pod are closed at once; others stay', async () => {
  await world().pin('room_moves', 'pod-0')
  await world().pin('room_stays', 'pod-0')
  const [moving, staying] = [
    await open('/socket.io/?roomId=room_moves'),
    await open('/socket.io/?roomId=room_stays'),
  ]
  const announce = (roomId: string) =>
    world().directory.publish('atrium:bus:room_moved', JSON.stringify({ roomId }))
  await announce('room_moves') // Not a move: the message is also sent when an instance takes a room for the first time.
  await announce('room_stays')
  for (const socket of [moving, staying]) {
    socket.send('who?')
    expect(String(await nextMessage(socket))).toMatch(/^pod-0 /)
  }
  const gone = once(moving, 'close')
  await world().pin('room_moves', 'pod-1')
  await announce('room_moves')
  await gone
  staying.send('who?')
  expect(String(await nextMessage(staying))).toMatch(/^pod-0 /)
  staying.close()
})

test('frames of every size are echoed unchanged', async () => {
  const socket = await open('/socket.io/')
  for (const size of [0, 1, 125, 126, 65_535, 65_536, 5_000_000]) {
    const frame = randomBytes(size)
    socket.send(frame)
    expect(Buffer.compare(await nextMessage(socket), frame)).toBe(0)
  }
  socket.close()
})

test('many frames sent at once are echoed in order', async () => {
  const socket = await open('/socket.io/')
  const received: string[] = []
  socket.on('message', (data) => received.push(String(data)))
  const sent = Array.from({ length: 2_000 }, (_, index) => `${index} ${'x'.repeat(index)}`)
  for (const frame of sent) socket.send(frame)
  await waitUntil(() => received.length === sent.length || `${received.length} frames`)
  expect(received).toEqual(sent)
  socket.close()
})

test('what a client sends right after its handshake is not lost', async () => {
  const socket = connect(Number(new URL(world().router.http).port), '127.0.0.1')
  const headers = ['Connection: Upgrade', 'Upgrade: WebSocket', 'Sec-WebSocket-Version: 13']
  const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='
  const who = Buffer.from([0x81, 0x84, 0, 0, 0, 0, ...Buffer.from('who?')])
  const head = ['GET /socket.io/ HTTP/1.1', 'Host: x', ...headers, key, '', ''].join('\r\n')
  socket.write(Buffer.concat([Buffer.from(head), who]))
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  await waitUntil(() => /101 Switching[\s\S]*pod-\d \/socket.io/.test(received) || received)
  socket.destroy()
})

test('when either side disconnects, the other is closed', async () => {
  const [pod] = world().pods
  await waitUntil(async () => (await openSockets()) === '0' || 'earlier sockets are still open')
  const before = (await pod?.openConnections()) ?? 0
  await world().pin('room_break', 'pod-0')
  for (const end of ['break', 'reset']) {
    const broken = await open('/socket.io/?roomId=room_break')
    broken.on('error', () => undefined)
    broken.send(end)
    await once(broken, 'close')
  }
  const left = await open('/socket.io/?roomId=room_break')
  await waitUntil(async () => (await openSockets()) === '1' || 'not counted yet')
  left.terminate()
  await waitUntil(async () => (await openSockets()) === '0' || 'still open')
  await waitUntil(async () => ((await pod?.openConnections()) ?? 0) <= before || 'the pod still has it')
})

test('a refusal by the backend is relayed unchanged', async () => {
  const socket = new WebSocket(address('/socket.io/?refuse'))
  const [, response] = await once(socket, 'unexpected-response')
  expect([response.statusCode, response.headers['x-why'], await text(response)]).toEqual([
    418,
    'asked',
    'Not here',
  ])
})

test.each([
  ['another path', '/api/room/room_socket', {}, 404],
  ['a path below', '/socket.io/x', {}, 404],
  ['the health of the router', '/health/router', {}, 404],
  ['the page', '/', {}, 404],
  ['a body', '/socket.io/', { 'content-length': '0' }, 400],
  ['another protocol', '/socket.io/', { upgrade: 'h2c' }, 400],
  ['two protocols', '/socket.io/', { upgrade: 'websocket, h2c' }, 400],
])('an upgrade with %s is refused at once and reaches no backend', async (_name, path, headers, status) => {
  const requestCount = () => world().pods.reduce((total, pod) => total + pod.requestCount(), 0)
  const before = requestCount()
  const response = await sendRequest(world().router.http, path, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      ...headers,
    },
  })
  expect([response.status, response.refusal.code]).toEqual([
    status,
    status === 404 ? 'NOT_FOUND' : 'VALIDATION_FAILED',
  ])
  expect(response.headers.connection).toBe('close')
  expect(requestCount()).toBe(before)
})

test('a pod that cannot be reached is 502 with a body', async () => {
  await world().lease({ name: 'pod-dead', origin: 'http://127.0.0.1:1' }, true)
  await world().pin('room_dead', 'pod-dead')
  const socket = new WebSocket(address('/socket.io/?roomId=room_dead'))
  const [, response] = await once(socket, 'unexpected-response')
  expect(response.statusCode).toBe(502)
  expect(JSON.parse(await text(response))).toMatchObject({ code: 'BAD_GATEWAY' })
})

test('a room whose pod has no lease is 503 with Retry-After', async () => {
  await world().pin('room_orphan', 'pod-gone')
  const socket = new WebSocket(address('/socket.io/?roomId=room_orphan'))
  const [, response] = await once(socket, 'unexpected-response')
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '1'])
})

test('a backend that accepts the connection but stays silent is 504 within seconds', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  await world().lease({ name: 'pod-silent', origin: `http://127.0.0.1:${port}` }, true)
  await world().pin('room_silent', 'pod-silent')
  const socket = new WebSocket(address('/socket.io/?roomId=room_silent'))
  const [, response] = await once(socket, 'unexpected-response')
  expect(response.statusCode).toBe(504)
  silent.close()
})

test('Socket.IO works through the router, with its query and Origin', async () => {
  const pod = await world().startPod('pod-io')
  pod.server.removeAllListeners('upgrade')
  const sockets = new SocketServer(pod.server)
  sockets.of('/experiment').on('connection', (socket) => {
    const { query, headers } = socket.handshake
    socket.on('echo', (value, reply) => reply(value, query.roomId, headers.host))
  })
  await world().lease(pod, true)
  await world().pin('room_io', pod.name)
  const client = io(`${world().router.http}/experiment`, {
    transports: ['websocket'],
    query: { roomId: 'room_io' },
    forceNew: true,
  })
  const response = await new Promise((resolve) =>
    client.emit('echo', { a: 1 }, (...values: unknown[]) => resolve(values)),
  )
  expect(response).toEqual([{ a: 1 }, 'room_io', new URL(world().router.http).host])
  client.disconnect()
  await sockets.close()
})
