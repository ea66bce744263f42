import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { waitUntil } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { tell } from './backend.ts'
import { ask, askForStream } from './requests.ts'
import { useWorld } from './router-world.ts'

const bigBody = randomBytes(8 * 2 ** 20)
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** What the backend saw of a request or an answer that was broken off. */
const seen = { written: 0, aborted: 0 }
let readLater: (() => void) | undefined
let goOn: (() => void) | undefined

async function handler(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
  switch (pathname) {
    case '/api/big':
      response.setHeader('content-length', bigBody.length)
      response.end(bigBody)
      return
    case '/api/filled':
      response.end(Buffer.alloc(bigBody.length, searchParams.get('with') ?? ''))
      return
    case '/api/hash':
      response.end(hashOf(await buffer(request)))
      return
    case '/api/endless':
      return writeEndlessly(response)
    case '/api/dripping':
      for (const part of ['one', 'two', 'three']) {
        response.write(part)
        await told()
      }
      response.end()
      return
    case '/api/not-modified':
      response.writeHead(304, { etag: '"x"', 'content-length': '5' }).end()
      return
    case '/api/no-content':
      response.writeHead(204).end()
      return
    case '/api/early':
      // As a server that refuses an upload without reading it.
      response.writeHead(413, { 'content-type': 'application/json' }).end('{"code":"PAYLOAD_TOO_LARGE"}')
      return
    case '/api/headers':
      response.writeHead(200, 'Fine Then', [
        ...[
          'Connection',
          'X-Private',
          'X-Private',
          '1',
          'Keep-Alive',
          'timeout=9',
          'Proxy-Authenticate',
          'x',
        ],
        ...[
          'Set-Cookie',
          'a=1',
          'Set-Cookie',
          'b=2',
          'X-Bytes',
          'caf\xe9',
          'Date',
          'Thu, 01 Jan 1970 00:00:00 GMT',
        ],
      ])
      response.end('ok')
      return
    case '/api/broken':
      response.writeHead(200, { 'content-length': '1000' })
      response.write('only this')
      await told()
      response.destroy()
      return
    case '/api/waits':
      request.resume()
      response.on('close', () => seen.aborted++)
      return
    case '/api/reads-later':
      await new Promise<void>((resolve) => {
        readLater = resolve
      })
      response.end(hashOf(await buffer(request)))
      return
    default:
      return tell(request, response)
  }
}

/** Back when the test calls `goOn`. */
const told = () =>
  new Promise<void>((resolve) => {
    goOn = resolve
  })

function writeEndlessly(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024)
  const more = () => {
    let goesOn = true
    while (goesOn && !response.destroyed) {
      goesOn = response.write(chunk)
      seen.written += chunk.length
    }
  }
  response.on('drain', more)
  response.on('close', () => seen.aborted++)
  more()
}

/** Much that the router does besides, for whoever wants to see that something else does not go on meanwhile. */
async function keepRouterBusy(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await buffer(await askForStream(http(), '/api/big'))
}

/** Back when the number no longer changes, whatever else the router does. */
async function untilStill(read: () => number): Promise<number> {
  let last = -1
  await waitUntil(async () => {
    last = read()
    await keepRouterBusy()
    return last === read() || `it still flows: ${read()}`
  })
  return last
}

const world = useWorld({ pods: 1, handler })
const http = () => world().router.http

describe('bodies are streams', () => {
  test('a large answer arrives whole', async () => {
    const answer = await askForStream(http(), '/api/big')
    expect(answer.headers['content-length']).toBe(String(bigBody.length))
    expect(hashOf(await buffer(answer))).toBe(hashOf(bigBody))
  })

  test('large answers at once do not mix, though their clients read in turns', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => askForStream(http(), `/api/filled?with=${index}`)),
    )
    await keepRouterBusy() // So that the router holds the beginning of each.
    for (const [index, answer] of answers.entries())
      expect(hashOf(await buffer(answer))).toBe(hashOf(Buffer.alloc(bigBody.length, String(index))))
  })

  test.each([
    ['with its length', { 'content-length': String(bigBody.length) }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('a large request arrives whole, %s', async (_name, headers) => {
    const { text } = await ask(http(), '/api/hash', { method: 'POST', headers, body: bigBody })
    expect(text).toBe(hashOf(bigBody))
  })

  test('an answer is passed on as it comes, not when it is complete', async () => {
    const answer = await askForStream(http(), '/api/dripping')
    const parts: string[] = []
    answer.on('data', (part) => {
      parts.push(String(part))
      goOn?.() // No more is written before this has come.
    })
    await once(answer, 'end')
    expect(parts).toEqual(['one', 'two', 'three'])
  })

  test('a client that does not read holds its backend up, and its leaving frees it', async () => {
    Object.assign(seen, { written: 0, aborted: 0 })
    const answer = await askForStream(http(), '/api/endless')
    answer.pause()
    const heldAt = await untilStill(() => seen.written)
    expect(heldAt).toBeGreaterThan(0)
    expect(heldAt).toBeLessThan(32 * 2 ** 20)
    answer.destroy()
    await waitUntil(() => seen.aborted === 1 || 'the backend still writes')
  })

  test('a backend that does not read holds the client up, and loses nothing', async () => {
    const asked = request(`${http()}/api/reads-later`, { method: 'POST', agent: false })
    let flushed = 0
    const chunk = Buffer.alloc(64 * 1024, 1)
    const chunks = 512
    for (let index = 0; index < chunks; index++) asked.write(chunk, () => flushed++)
    asked.end()
    const arrived = once(asked, 'response') as Promise<[IncomingMessage]>
    await waitUntil(() => readLater !== undefined || 'it has not arrived')
    expect(await untilStill(() => flushed)).toBeLessThan(chunks)
    readLater?.()
    const [answer] = await arrived
    expect((await buffer(answer)).toString()).toBe(hashOf(Buffer.alloc(chunk.length * chunks, 1)))
  })

  test('a client that leaves in the middle of an upload, or of its wait, leaves the backend too', async () => {
    Object.assign(seen, { aborted: 0 })
    const uploading = request(`${http()}/api/waits`, { method: 'POST', agent: false })
    const waiting = request(`${http()}/api/waits`, { agent: false })
    for (const asked of [uploading, waiting]) asked.on('error', () => undefined)
    // More than the router gathers before it asks a backend.
    uploading.write(Buffer.alloc(100_000))
    waiting.end()
    const before = world().pods[0]?.asked() ?? 0
    await waitUntil(() => (world().pods[0]?.asked() ?? 0) === before + 2 || 'not there yet')
    uploading.destroy()
    waiting.destroy()
    await waitUntil(() => seen.aborted === 2 || 'the backend has not noticed')
  })

  test('an answer that breaks off is seen to be broken off', async () => {
    const answer = await askForStream(http(), '/api/broken')
    goOn?.()
    await expect(buffer(answer)).rejects.toThrow('aborted')
  })

  test('an answer to an upload that nobody reads reaches the client', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const { status } = await ask(http(), '/api/early', { method: 'POST', body: bigBody })
      expect(status).toBe(413)
    }
  })

  test('Expect: 100-continue is answered before the body is sent', async () => {
    const asked = request(`${http()}/api/hash`, {
      method: 'POST',
      agent: false,
      headers: { expect: '100-continue', 'content-length': '5' },
    })
    asked.flushHeaders()
    await once(asked, 'continue')
    asked.end('hello')
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    expect((await buffer(answer)).toString()).toBe(hashOf(Buffer.from('hello')))
  })
})

describe('answers without a body', () => {
  test('HEAD has the headers of GET', async () => {
    const { status, headers, text } = await ask(http(), '/api/big', { method: 'HEAD' })
    expect([status, headers['content-length'], text]).toEqual([200, String(bigBody.length), ''])
  })
  test('304 and 204', async () => {
    const notModified = await ask(http(), '/api/not-modified')
    expect([notModified.status, notModified.headers.etag, notModified.text]).toEqual([304, '"x"', ''])
    expect(await ask(http(), '/api/no-content')).toMatchObject({ status: 204, text: '' })
  })
  test('one connection serves many', async () => {
    const socket = connect(Number(new URL(http()).port), '127.0.0.1')
    const one = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
    socket.write(one('HEAD', '/api/big') + one('GET', '/api/not-modified') + one('GET', '/api/no-content'))
    socket.write(one('GET', '/api/x').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    const text = (await buffer(socket)).toString()
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([200, 304, 204, 200].map((status) => `HTTP/1.1 ${status}`))
  })
})

describe('headers', () => {
  test('those about one connection end at the router, and those that Connection names', async () => {
    const { told } = await ask(http(), '/api/x', {
      headers: {
        connection: 'keep-alive, X-Drop-Me',
        'x-drop-me': '1',
        'keep-alive': '5',
        te: 'trailers',
        'proxy-authorization': 'x',
        'proxy-connection': 'x',
        upgrade: 'h2c',
        'x-kept': 'yes',
      },
    })
    const names = Object.keys(told.headers)
    for (const name of [
      'x-drop-me',
      'keep-alive',
      'te',
      'proxy-authorization',
      'proxy-connection',
      'upgrade',
    ])
      expect(names).not.toContain(name)
    expect(told.headers['x-kept']).toBe('yes')
  })

  test('of an answer likewise; the rest is unchanged, byte by byte', async () => {
    const answer = await askForStream(http(), '/api/headers')
    answer.resume()
    expect([answer.statusCode, answer.statusMessage]).toEqual([200, 'Fine Then'])
    for (const name of ['x-private', 'proxy-authenticate']) expect(answer.headers).not.toHaveProperty(name)
    expect(answer.headers['keep-alive']).not.toBe('timeout=9')
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(answer.headers['x-bytes']).toBe('caf\xe9')
    expect(answer.headers.date).toBe('Thu, 01 Jan 1970 00:00:00 GMT')
  })

  test('the Host is the client’s, once; the client is named', async () => {
    const { told } = await ask(http(), '/api/x', { headers: { host: 'study.example.org:8443' } })
    expect(told.rawHeaders.filter((part) => part.toLowerCase() === 'host')).toHaveLength(1)
    expect(told.headers).toMatchObject({
      host: 'study.example.org:8443',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'study.example.org:8443',
    })
  })

  test('what a client says of itself is not believed', async () => {
    const headers = { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil' }
    const { told } = await ask(http(), '/api/x', { headers: { ...headers, host: 'x' } })
    expect(told.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'x',
    })
  })
})

describe('behind a proxy that is trusted', () => {
  const behind = useWorld({ pods: 1, env: async () => ({ TRUST_PROXY: 'loopback, 10.0.0.0/8' }) })
  test('its word is passed on, but not what it only repeats', async () => {
    const { told } = await ask(behind().router.http, '/api/x', {
      headers: {
        'x-forwarded-for': '6.6.6.6, 1.2.3.4, 10.0.0.7',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'study.example.org',
      },
    })
    expect(told.headers).toMatchObject({
      'x-forwarded-for': '1.2.3.4, 10.0.0.7, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'study.example.org',
    })
  })
})
