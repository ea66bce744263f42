import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { collectGarbage, createTestSchedule, flood, guard, startHttp, startRaw } from './test/guard-world.ts'

const at = (port: number) => `http://127.0.0.1:${port}/v1/models`
const open = () => guard({ hosted: false })
const MiB = 1_048_576

async function read(port: number, init?: RequestInit): Promise<string> {
  return (await open().fetch(at(port), init)).text()
}

it('[R44,OG10] sends the request and gives back the reply as fetch does', async () => {
  let received: unknown
  const port = await startHttp(async (request, response) => {
    const body = await text(request)
    received = { method: request.method, url: request.url, headers: request.headers, body }
    response.writeHead(201, { 'content-type': 'application/json', 'x-powered-by': 'x', 'retry-after': '7' })
    response.end('{"data":["ü"]}')
  })
  const response = await open().fetch(at(port), {
    method: 'POST',
    headers: {
      authorization: 'Bearer key',
      'content-type': 'application/json',
      host: 'other',
      'x-secret': 'x',
    },
    body: '{"ä":1}',
  })
  expect(received).toEqual({
    method: 'POST',
    url: '/v1/models',
    headers: {
      authorization: 'Bearer key',
      'accept-encoding': 'identity',
      connection: 'keep-alive',
      'content-length': '8',
      'content-type': 'application/json',
      host: `127.0.0.1:${port}`,
    },
    body: '{"ä":1}',
  })
  expect(response.status).toBe(201)
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'application/json',
    'retry-after': '7',
  })
  expect(await response.json()).toEqual({ data: ['ü'] })
})

it('[R35,OG6] follows no redirect, hosted or not', async () => {
  const requests: (string | undefined)[] = []
  const port = await startHttp((request, response) => {
    requests.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  await expect(read(port)).rejects.toMatchObject({ code: 'REDIRECT_REFUSED' })
  await expect(read(port, { redirect: 'follow' })).rejects.toMatchObject({ code: 'REDIRECT_REFUSED' })
  const shown = await open().fetch(at(port), { redirect: 'manual' })
  expect([shown.status, shown.headers.get('location')]).toEqual([307, '/elsewhere'])
  expect(requests).toEqual(['/v1/models', '/v1/models', '/v1/models'])
})

it('[OG7] a reply of exactly 1 MiB is read, and one with a byte more is not', async () => {
  const sizes = await startHttp((request, response) => {
    const body = 'x'.repeat(request.method === 'POST' ? MiB + 1 : MiB)
    if (request.headers['content-type'] === 'chunked') response.write(body.slice(0, 10))
    response.end(body.slice(request.headers['content-type'] === 'chunked' ? 10 : 0))
  })
  for (const headers of [{ 'content-type': 'plain' }, { 'content-type': 'chunked' }]) {
    expect(await read(sizes, { headers })).toHaveLength(MiB)
    await expect(read(sizes, { method: 'POST', headers })).rejects.toMatchObject({ code: 'REPLY_TOO_LARGE' })
  }
})

it('[OG7] a flood is cut off after little more than 1 MiB', async () => {
  let taken: Promise<number> | undefined
  const port = await startRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    taken = flood(socket, `4000\r\n${'x'.repeat(0x4000)}\r\n`)
  })
  await expect(read(port)).rejects.toMatchObject({ code: 'REPLY_TOO_LARGE' })
  // The rest is what the buffers of both ends hold.
  expect(await taken).toBeLessThan(64 * MiB)
})

it('[OG7] a length of 10 GB is refused before anything is read', async () => {
  const port = await startRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n')
  })
  await expect(open().fetch(at(port))).rejects.toMatchObject({ code: 'REPLY_TOO_LARGE' })
})

it('[OG7] chunks of one byte in much wrapping do not get past the limit', async () => {
  const port = await startRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    void flood(socket, `1;${'e'.repeat(8_000)}\r\nx\r\n`)
  })
  await expect(read(port)).rejects.toMatchObject({ code: 'REPLY_TOO_LARGE' })
})

it.each([
  [
    'an endless chunk extension',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;',
    'e'.repeat(8_192),
  ],
  ['an endless header', 'HTTP/1.1 200 OK\r\nX-Long: ', 'x'.repeat(8_192)],
  ['endless headers', 'HTTP/1.1 200 OK\r\n', 'X-Many: x\r\n'.repeat(500)],
  [
    'endless trailers',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n',
    'X-Many: x\r\n'.repeat(500),
  ],
  ['endless interim replies', '', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'],
  ['an endless status line', 'HTTP/1.1 200 ', 'O'.repeat(8_192)],
])('[OG7] %s: the request fails and the connection is closed', async (_name, head, more) => {
  let closed: Promise<number> | undefined
  const port = await startRaw((socket) => {
    socket.write(head)
    closed ??= flood(socket, more)
  })
  await expect(read(port)).rejects.toThrow()
  expect(await closed).toBeLessThan(64 * MiB)
})

it('[OG8] a compressed reply is refused, so that it cannot unfold', async () => {
  for (const encoding of ['gzip', 'GZIP', 'br', 'deflate', 'identity, gzip', 'x-unknown']) {
    const port = await startHttp((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity')
      response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync(Buffer.alloc(MiB * 8)))
    })
    await expect(read(port), encoding).rejects.toMatchObject({ code: 'REPLY_ENCODED' })
  }
  const plain = await startHttp((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'identity' }).end('{}')
  })
  expect(await read(plain)).toBe('{}')
})

it.each([
  ['before the head', ''],
  ['in the head', 'HTTP/1.1 200 OK\r\nX-Slow: '],
  ['in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"data":'],
  ['between interim replies', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
])('[OG9] a server that falls silent %s is cut off after the total time', async (_where, head) => {
  const time = createTestSchedule()
  const port = await startRaw((socket) => {
    socket.write(head, () => setImmediate(() => time.pass(300_000)))
    if (head === '') time.pass(300_000)
  })
  const { fetch } = guard({ hosted: false, schedule: time.schedule })
  const reply = fetch(at(port)).then((response) => response.text())
  await expect(reply).rejects.toMatchObject({ code: 'REPLY_TIMEOUT' })
})

it('[OG9] a byte now and then does not buy more time', async () => {
  const time = createTestSchedule()
  const port = await startHttp((_request, response) => {
    response.write('{')
    // Each byte is sent when the one before has left.
    const trickle = () => {
      time.pass(1_000)
      if (!response.destroyed) response.write(' ', () => setImmediate(trickle))
    }
    trickle()
  })
  const { fetch } = guard({ hosted: false, schedule: time.schedule })
  await expect(fetch(at(port)).then((response) => response.text())).rejects.toMatchObject({
    code: 'REPLY_TIMEOUT',
  })
})

it.each([
  ['nothing', ''],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['a status that does not exist', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
  ],
  ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
])('[OG7] a server that answers with %s is an error, not a crash', async (_name, reply) => {
  const port = await startRaw((socket) => void socket.end(reply))
  await expect(read(port)).rejects.toThrow()
})

it('[OG10] replies without a body are complete', async () => {
  for (const status of [204, 205, 304]) {
    const port = await startHttp((_request, response) => void response.writeHead(status).end())
    const response = await open().fetch(at(port), { redirect: 'manual' })
    expect([response.status, await response.text()]).toEqual([status, ''])
  }
})

it('[OG11] a kept connection that the server has closed meanwhile does not fail the next request', async () => {
  const used = new Set<Socket>()
  let broken = 0
  const port = await startRaw((socket) => {
    if (used.has(socket)) {
      broken++
      return void socket.resetAndDestroy()
    }
    used.add(socket)
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
  })
  const { fetch } = open()
  for (const _ of [1, 2, 3]) expect(await (await fetch(at(port))).text()).toBe('{}')
  expect({ broken, connections: used.size }).toEqual({ broken: 2, connections: 3 })
})

it('[OG11] a new connection that breaks is not tried again', async () => {
  let requests = 0
  const port = await startRaw((socket, nth) => {
    requests = nth
    socket.resetAndDestroy()
  })
  await expect(read(port)).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(requests).toBe(1)
})

it('[OG12] the caller’s own abort rejects with its reason, before and during the reply', async () => {
  const port = await startHttp((_request, response) => void response.write('{'))
  const { fetch } = open()
  const stopped = AbortSignal.abort()
  await expect(fetch(at(port), { signal: stopped })).rejects.toMatchObject({ name: 'AbortError' })
  const stop = new AbortController()
  const response = await fetch(at(port), { signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(response.text()).rejects.toThrow('enough')
})

it('[OG12] a body that is cancelled unread closes the connection, and close ends what is under way', async () => {
  const closed: Promise<unknown>[] = []
  const port = await startHttp((request, response) => {
    closed.push(new Promise((resolve) => request.socket.once('close', resolve)))
    response.write('data: ')
  })
  const { fetch, close } = open()
  await (await fetch(at(port))).body?.cancel()
  await closed[0]
  const response = await fetch(at(port))
  close()
  await expect(response.text()).rejects.toMatchObject({ code: 'OUTBOUND_CLOSED' })
  await closed[1]
})

it('[OG12] the caller’s abort and time-out still count after garbage was collected', async () => {
  const time = createTestSchedule()
  const port = await startHttp((_request, response) => void response.write('{'))
  const { fetch } = guard({ hosted: false, schedule: time.schedule })
  const asks: ((signal: AbortSignal) => Promise<Response>)[] = [
    (signal) => fetch(at(port), { signal }),
    (signal) => fetch(new Request(at(port), { signal })),
    (signal) => fetch(at(port), { method: 'PUT', body: new Blob(['{}']), signal }),
  ]
  const stop = new AbortController()
  const life = new AbortController()
  const responses = await Promise.all(asks.map((ask) => ask(AbortSignal.any([stop.signal, life.signal]))))
  const replies = responses.map((response) => response.text().catch(({ message }) => message))
  await collectGarbage()
  stop.abort(new Error('enough'))
  time.pass(300_000) // Ends with another message what has not heard of it.
  expect(await Promise.all(replies)).toEqual(['enough', 'enough', 'enough'])
})

it('[OG11,OG12] a call that waits for others ends with its own signal, and with close', async () => {
  let requests = 0
  const arrived = Promise.withResolvers<void>()
  const port = await startHttp(() => {
    requests++
    arrived.resolve()
  })
  const { fetch, close } = guard({ hosted: false, maxConnections: 1 })
  const first = fetch(at(port))
  await arrived.promise
  const stop = new AbortController()
  const waiting = fetch(at(port), { signal: stop.signal })
  const closed = [first, fetch(at(port))].map((call) =>
    expect(call).rejects.toMatchObject({ code: 'OUTBOUND_CLOSED' }),
  )
  await new Promise(setImmediate)
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  close()
  await Promise.all(closed)
  await expect(fetch(at(port))).rejects.toMatchObject({ code: 'OUTBOUND_CLOSED' })
  expect(requests).toBe(1)
})

it('[OG11] calls that wait take over the connection in turn', async () => {
  const connections = new Set<Socket>()
  const order: (string | undefined)[] = []
  const port = await startHttp((request, response) => {
    connections.add(request.socket)
    order.push(request.headers.accept)
    response.end('{}')
  })
  const { fetch } = guard({ hosted: false, maxConnections: 1 })
  const ask = async (accept: string) => (await fetch(at(port), { headers: { accept } })).text()
  expect(await Promise.all(['a', 'b', 'c', 'd'].map(ask))).toEqual(['{}', '{}', '{}', '{}'])
  expect({ order, connections: connections.size }).toEqual({ order: ['a', 'b', 'c', 'd'], connections: 1 })
})

it('[OG11] a key whose calls all hang keeps no other key waiting', async () => {
  const arrived = Promise.withResolvers<void>()
  const port = await startHttp((request, response) => {
    if (request.headers.authorization === 'Bearer good') response.end('{}')
    else arrived.resolve()
  })
  const { fetch, close } = guard({ hosted: false, maxConnections: 1 })
  const askWith = (key: string) => fetch(at(port), { headers: { authorization: `Bearer ${key}` } })
  const hanging = expect(askWith('bad')).rejects.toMatchObject({ code: 'OUTBOUND_CLOSED' })
  await arrived.promise
  expect(await (await askWith('good')).text()).toBe('{}')
  close()
  await hanging
})

it('[OG11] a reply that nobody reads gives its connection back once its time is over', async () => {
  const time = createTestSchedule()
  const port = await startHttp((_request, response) => void response.write('{'))
  const { fetch } = guard({ hosted: false, maxConnections: 1, schedule: time.schedule })
  await fetch(at(port))
  time.pass(300_000)
  expect((await fetch(at(port))).status).toBe(200)
})
