import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { waitUntil } from '@atrium/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { openResponse, sendRequest } from './requests.ts'
import { useWorld } from './router-world.ts'

const world = useWorld({ pods: 1 })
let scripted = 0
let room = ''

/** How a backend reacts to everything received on a connection so far. */
type Script = (received: string, socket: Socket, connection: number) => void

let server: Server | undefined
let sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server?.close()
})

/** An instance with its own room that responds byte by byte as the test says. */
async function startScripted(script: Script): Promise<{ connections(): number }> {
  sockets = []
  server = createServer((socket) => {
    const connection = sockets.push(socket)
    let received = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      script(received, socket, connection)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const name = `pod-${port}`
  await world().lease({ name, origin: `http://127.0.0.1:${port}` }, true)
  const roomId = `room_scripted_${scripted++}`
  await world().pin(roomId, name)
  room = `/api/room/${roomId}`
  // The router answers this itself. From then on it knows the room, also while it gets no processor and Redis seems away.
  const page = `/experiment/${roomId}`
  await waitUntil(
    async () => (await sendRequest(world().router.http, page, asPage)).status === 302 || 'not located yet',
  )
  return { connections: () => sockets.length }
}

const asPage = { headers: { accept: 'text/html' } }

const ok = (body: string, more = '') =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`
const requestsIn = (received: string) => received.match(/ HTTP\/1\.1\r\n/g)?.length ?? 0
const requestRoom = (options = {}) => sendRequest(world().router.http, room, options)

describe('a connection to a backend', () => {
  test('serves one request after another', async () => {
    const { connections } = await startScripted((received, socket) =>
      socket.write(ok(`${requestsIn(received)}`)),
    )
    for (const turn of ['1', '2', '3', '4']) expect((await requestRoom()).text).toBe(turn)
    expect(connections()).toBe(1)
  })

  test('is opened for each concurrent request and reused', async () => {
    const held: Socket[] = []
    const { connections } = await startScripted((_received, socket) => {
      held.push(socket)
      if (held.length % 5 === 0) for (const one of held.splice(0)) one.write(ok('together'))
    })
    for (let turn = 0; turn < 3; turn++) {
      const responses = await Promise.all(Array.from({ length: 5 }, () => requestRoom()))
      expect(responses.map(({ text }) => text)).toEqual(Array(5).fill('together'))
    }
    expect(connections()).toBe(5)
  })

  test.each([
    ['announces its close', ok('x', 'Connection: close\r\n')],
    ['speaks HTTP/1.0', ok('x').replace('1.1', '1.0')],
    ['sends more than one response', `${ok('x')}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison`],
  ])('that %s is not reused', async (_name, response) => {
    const { connections } = await startScripted((_received, socket) => socket.write(response))
    for (let turn = 0; turn < 3; turn++) expect((await requestRoom()).text).toBe('x')
    expect(connections()).toBe(3)
  })

  /** Two kept connections that have each served a request. */
  async function keepTwo(responseOf: (connection: number) => string): Promise<void> {
    const { connections } = await startScripted((_received, _socket, connection) => {
      if (connection === 2) for (const [index, one] of sockets.entries()) one.write(responseOf(index + 1))
    })
    await Promise.all([requestRoom(), requestRoom()])
    expect(connections()).toBe(2)
  }

  test('that sends data while idle is not reused', async () => {
    await keepTwo(() => ok('x'))
    const [speaking, silent] = sockets
    speaking?.write(ok('poison'))
    await waitUntil(() => speaking?.closed === true || 'it is still open')
    expect(silent?.closed).toBe(false)
    expect((await requestRoom()).text).toBe('x')
  })

  test('that is idle is closed earlier if the backend would close it earlier', async () => {
    await keepTwo((connection) => ok('x', connection === 1 ? '' : 'Keep-Alive: timeout=2\r\n'))
    const closed: number[] = []
    for (const [index, socket] of sockets.entries()) socket.once('close', () => closed.push(index + 1))
    await waitUntil(() => closed.length === 2 || `closed: ${closed}`)
    expect(closed).toEqual([2, 1])
  })

  test('that carried a response before the end of its request is not reused', async () => {
    const { connections } = await startScripted((received, socket) => {
      if (received.endsWith('\r\n\r\n') || received.endsWith('begun')) socket.write(ok('enough'))
    })
    const early = connect(Number(new URL(world().router.http).port), '127.0.0.1')
    // More than the router buffers before it involves a backend.
    const beginning = `${'x'.repeat(100_000)}begun`
    early.write(`POST ${room} HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n${beginning}`)
    let heard = ''
    early.on('data', (chunk) => {
      heard += chunk
    })
    await waitUntil(() => heard.endsWith('enough') || heard)
    early.destroy()
    expect((await requestRoom()).text).toBe('enough')
    expect(connections()).toBe(2)
  })
})

describe('a kept connection that is closed while a request is being sent', () => {
  /** The first connection responds once and breaks on the next request; others respond. */
  const breakSecond: Script = (received, socket, connection) => {
    if (connection === 1 && requestsIn(received) > 1) socket.resetAndDestroy()
    else socket.write(ok(`from ${connection}`))
  }

  test('does not mean that the backend is down: a safe request is sent to it again', async () => {
    await startScripted(breakSecond)
    expect((await requestRoom()).text).toBe('from 1')
    expect((await requestRoom()).text).toBe('from 2')
  })

  test('may have processed an unsafe request: 502, and the client decides', async () => {
    const { connections } = await startScripted(breakSecond)
    expect((await requestRoom()).text).toBe('from 1')
    expect((await requestRoom({ method: 'POST', body: 'once' })).refusal.code).toBe('BAD_GATEWAY')
    expect(connections()).toBe(1)
  })
})

describe('a response', () => {
  const whole = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Kept: yes\r\n\r\n'
  test.each([
    ['in chunks with extensions and trailers', `${whole}3;a=b\r\none\r\n3\r\ntwo\r\n0\r\nX-Sum: 1\r\n\r\n`],
    [
      'after informational responses, which are dropped',
      `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Hints\r\nA: b\r\n\r\n${ok('onetwo')}`,
    ],
  ])('%s', async (_name, response) => {
    await startScripted((_received, socket) => socket.write(response))
    for (let turn = 0; turn < 2; turn++)
      expect(await requestRoom()).toMatchObject({ status: 200, text: 'onetwo' })
  })

  test('that arrives byte by byte', async () => {
    await startScripted(async (_received, socket) => {
      for (const byte of `${whole}3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n`) {
        socket.write(byte)
        await new Promise(setImmediate)
      }
    })
    expect((await requestRoom()).text).toBe('onetwo')
  })

  test('of many small chunks, to a client that does not read for a while', async () => {
    const chunks = 50_000
    await startScripted((_received, socket) =>
      socket.write(`${whole}${'1\r\nx\r\n'.repeat(chunks)}0\r\n\r\n`),
    )
    const response = await openResponse(world().router.http, room)
    response.pause()
    // Keep the router busy in the meantime.
    for (let turn = 0; turn < 20; turn++) await sendRequest(world().router.http, '/api/x')
    expect((await textOf(response)).length).toBe(chunks)
    expect(world().router.stderr()).not.toContain('MaxListeners')
  })

  test('without a length ends when the backend closes', async () => {
    await startScripted((_received, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'))
    expect(await requestRoom()).toMatchObject({ status: 200, text: 'all of it' })
  })

  test.each([
    ['not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['a header that hides another', 'HTTP/1.1 200 OK\r\nX: a\nSet-Cookie: b\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['an unrequested 100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${ok('x')}`],
    ['an unrequested protocol switch', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
  ])('that is malformed (%s) is 502', async (_name, response) => {
    await startScripted((_received, socket) => socket.write(response))
    expect((await requestRoom()).refusal.code).toBe('BAD_GATEWAY')
  })

  test('whose chunks are malformed is visibly cut off', async () => {
    await startScripted((_received, socket) => socket.write(`${whole}3\r\nonetwo`))
    const response = await openResponse(world().router.http, room)
    await expect(textOf(response)).rejects.toThrow('aborted')
  })
})

describe('a request', () => {
  test('in chunks is forwarded in chunks', async () => {
    let heard = ''
    await startScripted((received, socket) => {
      heard = received
      if (received.endsWith('0\r\n\r\n')) socket.write(ok('x'))
    })
    await requestRoom({ method: 'POST', body: 'hello', headers: { 'transfer-encoding': 'chunked' } })
    expect(heard).toMatch(/\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n$/)
  })

  test('has no byte that splits a header in two, or a target into another request', async () => {
    const heads: string[] = []
    await startScripted((received, socket) => {
      heads.push(received)
      socket.end(ok('x', 'Connection: close\r\n'))
    })
    const { port } = new URL(world().router.http)
    const sendBytes = async (bytes: string): Promise<void> => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => undefined).resume()
      socket.end(Buffer.from(bytes, 'latin1'))
      await once(socket, 'close')
    }
    for (let code = 0; code < 256; code++) {
      const byte = String.fromCharCode(code)
      await sendBytes(
        `GET ${room} HTTP/1.1\r\nHost: x\r\nX-Odd: a${byte}Injected: b\r\nConnection: close\r\n\r\n`,
      )
      await sendBytes(`GET ${room}?a${byte}Injected: b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    }
    expect(heads.length).toBeGreaterThan(200)
    for (const head of heads) expect(head).not.toMatch(/[\r\n]Injected/)
  })
})
