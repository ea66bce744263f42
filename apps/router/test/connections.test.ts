import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { waitUntil } from '@atrium/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { ask, askForStream } from './requests.ts'
import { useWorld } from './router-world.ts'

const world = useWorld({ pods: 1 })
let scripted = 0
let room = ''

/** What a backend does with what it hears on one connection, from the beginning. */
type Script = (said: string, socket: Socket, connection: number) => void

let server: Server | undefined
let sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server?.close()
})

/** A pod that speaks byte by byte as the test wants, and has a room of its own. */
async function startScripted(script: Script): Promise<{ connections(): number }> {
  sockets = []
  server = createServer((socket) => {
    const connection = sockets.push(socket)
    let said = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1')
      script(said, socket, connection)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const name = `pod-${port}`
  await world().lease({ name, origin: `http://127.0.0.1:${port}` }, true)
  const roomId = `room_scripted_${scripted++}`
  await world().pin(roomId, name)
  room = `/api/room/${roomId}`
  return { connections: () => sockets.length }
}

const ok = (body: string, more = '') =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`
const asks = (said: string) => said.match(/ HTTP\/1\.1\r\n/g)?.length ?? 0
const askRoom = (question = {}) => ask(world().router.http, room, question)

describe('a connection to a backend', () => {
  test('serves one request after another', async () => {
    const { connections } = await startScripted((said, socket) => socket.write(ok(`${asks(said)}`)))
    for (const turn of ['1', '2', '3', '4']) expect((await askRoom()).text).toBe(turn)
    expect(connections()).toBe(1)
  })

  test('is one for each of those at once, and they are used again', async () => {
    const held: Socket[] = []
    const { connections } = await startScripted((_said, socket) => {
      held.push(socket)
      if (held.length % 5 === 0) for (const one of held.splice(0)) one.write(ok('together'))
    })
    for (let turn = 0; turn < 3; turn++) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => askRoom()))
      expect(answers.map(({ text }) => text)).toEqual(Array(5).fill('together'))
    }
    expect(connections()).toBe(5)
  })

  test.each([
    ['says that it closes', ok('x', 'Connection: close\r\n')],
    ['speaks HTTP/1.0', ok('x').replace('1.1', '1.0')],
    ['says more than it was asked', `${ok('x')}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison`],
  ])('that %s is not used again', async (_name, answer) => {
    const { connections } = await startScripted((_said, socket) => socket.write(answer))
    for (let turn = 0; turn < 3; turn++) expect((await askRoom()).text).toBe('x')
    expect(connections()).toBe(3)
  })

  /** Two connections that have each served a request and are kept. */
  async function keepTwo(answerOf: (connection: number) => string): Promise<void> {
    const { connections } = await startScripted((_said, _socket, connection) => {
      if (connection === 2) for (const [index, one] of sockets.entries()) one.write(answerOf(index + 1))
    })
    await Promise.all([askRoom(), askRoom()])
    expect(connections()).toBe(2)
  }

  test('that speaks while nobody asks is not used again', async () => {
    await keepTwo(() => ok('x'))
    const [speaking, silent] = sockets
    speaking?.write(ok('poison'))
    await waitUntil(() => speaking?.closed === true || 'it is still open')
    expect(silent?.closed).toBe(false)
    expect((await askRoom()).text).toBe('x')
  })

  test('that nobody uses is closed the sooner, the sooner the backend would close it', async () => {
    await keepTwo((connection) => ok('x', connection === 1 ? '' : 'Keep-Alive: timeout=2\r\n'))
    const closed: number[] = []
    for (const [index, socket] of sockets.entries()) socket.once('close', () => closed.push(index + 1))
    await waitUntil(() => closed.length === 2 || `closed: ${closed}`)
    expect(closed).toEqual([2, 1])
  })

  test('that carried an answer before the end of its request is not used again', async () => {
    const { connections } = await startScripted((said, socket) => {
      if (said.endsWith('\r\n\r\n') || said.endsWith('begun')) socket.write(ok('enough'))
    })
    const early = connect(Number(new URL(world().router.http).port), '127.0.0.1')
    // More than the router gathers before it asks a backend.
    const beginning = `${'x'.repeat(100_000)}begun`
    early.write(`POST ${room} HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n${beginning}`)
    let heard = ''
    early.on('data', (chunk) => {
      heard += chunk
    })
    await waitUntil(() => heard.endsWith('enough') || heard)
    early.destroy()
    expect((await askRoom()).text).toBe('enough')
    expect(connections()).toBe(2)
  })
})

describe('a kept connection that is closed as a request comes', () => {
  /** The first connection answers once and then breaks on the next request; others answer. */
  const breakSecond: Script = (said, socket, connection) => {
    if (connection === 1 && asks(said) > 1) socket.resetAndDestroy()
    else socket.write(ok(`from ${connection}`))
  }

  test('says nothing of the backend: what is safe is asked again there', async () => {
    await startScripted(breakSecond)
    expect((await askRoom()).text).toBe('from 1')
    expect((await askRoom()).text).toBe('from 2')
  })

  test('may have done what it was asked: 502, and the client decides', async () => {
    const { connections } = await startScripted(breakSecond)
    expect((await askRoom()).text).toBe('from 1')
    expect((await askRoom({ method: 'POST', body: 'once' })).refusal.code).toBe('BAD_GATEWAY')
    expect(connections()).toBe(1)
  })
})

describe('an answer', () => {
  const whole = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Kept: yes\r\n\r\n'
  test.each([
    ['in chunks with extensions and trailers', `${whole}3;a=b\r\none\r\n3\r\ntwo\r\n0\r\nX-Sum: 1\r\n\r\n`],
    [
      'after hints, which are none',
      `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Hints\r\nA: b\r\n\r\n${ok('onetwo')}`,
    ],
  ])('%s', async (_name, answer) => {
    await startScripted((_said, socket) => socket.write(answer))
    for (let turn = 0; turn < 2; turn++)
      expect(await askRoom()).toMatchObject({ status: 200, text: 'onetwo' })
  })

  test('that comes byte by byte', async () => {
    await startScripted(async (_said, socket) => {
      for (const byte of `${whole}3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n`) {
        socket.write(byte)
        await new Promise(setImmediate)
      }
    })
    expect((await askRoom()).text).toBe('onetwo')
  })

  test('of many small chunks, to a client that does not read for a while', async () => {
    const chunks = 50_000
    await startScripted((_said, socket) => socket.write(`${whole}${'1\r\nx\r\n'.repeat(chunks)}0\r\n\r\n`))
    const answer = await askForStream(world().router.http, room)
    answer.pause()
    // Much happens at the router meanwhile.
    for (let turn = 0; turn < 20; turn++) await ask(world().router.http, '/api/x')
    expect((await textOf(answer)).length).toBe(chunks)
    expect(world().router.stderr()).not.toContain('MaxListeners')
  })

  test('without a length is over when the backend closes', async () => {
    await startScripted((_said, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'))
    expect(await askRoom()).toMatchObject({ status: 200, text: 'all of it' })
  })

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['a header that hides another', 'HTTP/1.1 200 OK\r\nX: a\nSet-Cookie: b\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['leave to go on that nobody asked for', `HTTP/1.1 100 Continue\r\n\r\n${ok('x')}`],
    ['a protocol nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
  ])('that is malformed (%s) is 502', async (_name, answer) => {
    await startScripted((_said, socket) => socket.write(answer))
    expect((await askRoom()).refusal.code).toBe('BAD_GATEWAY')
  })

  test('whose chunks are malformed is seen to be broken off', async () => {
    await startScripted((_said, socket) => socket.write(`${whole}3\r\nonetwo`))
    const answer = await askForStream(world().router.http, room)
    await expect(textOf(answer)).rejects.toThrow('aborted')
  })
})

describe('a request', () => {
  test('in chunks goes on in chunks', async () => {
    let heard = ''
    await startScripted((said, socket) => {
      heard = said
      if (said.endsWith('0\r\n\r\n')) socket.write(ok('x'))
    })
    await askRoom({ method: 'POST', body: 'hello', headers: { 'transfer-encoding': 'chunked' } })
    expect(heard).toMatch(/\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n$/)
  })

  test('has no byte with which a header becomes two, or an address another request', async () => {
    const heads: string[] = []
    await startScripted((said, socket) => {
      heads.push(said)
      socket.end(ok('x', 'Connection: close\r\n'))
    })
    const { port } = new URL(world().router.http)
    const speak = async (bytes: string): Promise<void> => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => undefined).resume()
      socket.end(Buffer.from(bytes, 'latin1'))
      await once(socket, 'close')
    }
    for (let code = 0; code < 256; code++) {
      const byte = String.fromCharCode(code)
      await speak(
        `GET ${room} HTTP/1.1\r\nHost: x\r\nX-Odd: a${byte}Injected: b\r\nConnection: close\r\n\r\n`,
      )
      await speak(`GET ${room}?a${byte}Injected: b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    }
    expect(heads.length).toBeGreaterThan(200)
    for (const head of heads) expect(head).not.toMatch(/[\r\n]Injected/)
  })
})
