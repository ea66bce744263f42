import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { waitUntil } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { echoRequest } from './backend.ts'
import { openResponse, sendRequest } from './requests.ts'
import { useWorld } from './router-world.ts'

const bigBody = randomBytes(8 * 2 ** 20)
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** What the backend saw of aborted requests and responses. */
const seen = { written: 0, aborted: 0 }
let readLater: (() => void) | undefined
let release: (() => void) | undefined

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
        await untilReleased()
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
      // Like a server that refuses an upload without reading it.
      response.writeHead(413, { 'content-type': 'application/json' }).end('{"code":"PAYLOAD_TOO_LARGE"}')
      return
    case '/api/headers':
      response.writeHead(200, 'Fine Then', [
        'Connection',
        'X-Private',
        'X-Private',
        '1',
        'Keep-Alive',
        'timeout=9',
        'Proxy-Authenticate',
        'x',
        'Set-Cookie',
        'a=1',
        'Set-Cookie',
        'b=2',
        'X-Bytes',
        'caf\xe9',
        'Date',
        'Thu, 01 Jan 1970 00:00:00 GMT',
      ])
      response.end('ok')
      return
    case '/api/broken':
      response.writeHead(200, { 'content-length': '1000' })
      response.write('only this')
      await untilReleased()
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
      return echoRequest(request, response)
  }
}

/** Resolves when the test calls `release`. */
const untilReleased = () =>
  new Promise<void>((resolve) => {
    release = resolve
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

/** Other work for the router, to show that something makes no progress meanwhile. */
async function keepRouterBusy(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await buffer(await openResponse(http(), '/api/big'))
}

/** Resolves when the number no longer changes while the router is busy otherwise. */
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
  test('a large response arrives whole', async () => {
    const response = await openResponse(http(), '/api/big')
    expect(response.headers['content-length']).toBe(String(bigBody.length))
    expect(hashOf(await buffer(response))).toBe(hashOf(bigBody))
  })

  test('concurrent large responses do not mix, although their clients read one after the other', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => openResponse(http(), `/api/filled?with=${index}`)),
    )
    await keepRouterBusy() // So that the router has buffered the beginning of each.
    for (const [index, response] of responses.entries())
      expect(hashOf(await buffer(response))).toBe(hashOf(Buffer.alloc(bigBody.length, String(index))))
  })

  test.each([
    ['with its length', { 'content-length': String(bigBody.length) }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('a large request arrives whole, %s', async (_name, headers) => {
    const { text } = await sendRequest(http(), '/api/hash', { method: 'POST', headers, body: bigBody })
    expect(text).toBe(hashOf(bigBody))
  })

  test('a response is forwarded as it arrives, not when it is complete', async () => {
    const response = await openResponse(http(), '/api/dripping')
    const parts: string[] = []
    response.on('data', (part) => {
      parts.push(String(part))
      release?.() // Nothing more is written until this has arrived.
    })
    await once(response, 'end')
    expect(parts).toEqual(['one', 'two', 'three'])
  })

  test('a client that does not read pauses its backend, and frees it by leaving', async () => {
    Object.assign(seen, { written: 0, aborted: 0 })
    const response = await openResponse(http(), '/api/endless')
    response.pause()
    const heldAt = await untilStill(() => seen.written)
    expect(heldAt).toBeGreaterThan(0)
    expect(heldAt).toBeLessThan(32 * 2 ** 20)
    response.destroy()
    await waitUntil(() => seen.aborted === 1 || 'the backend is still writing')
  })

  test('a backend that does not read pauses the client and loses nothing', async () => {
    const sent = request(`${http()}/api/reads-later`, { method: 'POST', agent: false })
    let flushed = 0
    const chunk = Buffer.alloc(64 * 1024, 1)
    const chunks = 512
    for (let index = 0; index < chunks; index++) sent.write(chunk, () => flushed++)
    sent.end()
    const arrived = once(sent, 'response') as Promise<[IncomingMessage]>
    await waitUntil(() => readLater !== undefined || 'it has not arrived')
    expect(await untilStill(() => flushed)).toBeLessThan(chunks)
    readLater?.()
    const [response] = await arrived
    expect((await buffer(response)).toString()).toBe(hashOf(Buffer.alloc(chunk.length * chunks, 1)))
  })

  test('a client that leaves during an upload or while waiting aborts the backend’s request too', async () => {
    Object.assign(seen, { aborted: 0 })
    const uploading = request(`${http()}/api/waits`, { method: 'POST', agent: false })
    const waiting = request(`${http()}/api/waits`, { agent: false })
    for (const sent of [uploading, waiting]) sent.on('error', () => undefined)
    // More than the router buffers before it involves a backend.
    uploading.write(Buffer.alloc(100_000))
    waiting.end()
    const before = world().pods[0]?.requestCount() ?? 0
    await waitUntil(() => (world().pods[0]?.requestCount() ?? 0) === before + 2 || 'not there yet')
    uploading.destroy()
    waiting.destroy()
    await waitUntil(() => seen.aborted === 2 || 'the backend has not noticed')
  })

  test('a response that is cut off is visibly incomplete', async () => {
    const response = await openResponse(http(), '/api/broken')
    release?.()
    await expect(buffer(response)).rejects.toThrow('aborted')
  })

  test('a response to an upload that is not read reaches the client', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const { status } = await sendRequest(http(), '/api/early', { method: 'POST', body: bigBody })
      expect(status).toBe(413)
    }
  })

  test('Expect: 100-continue is answered before the body is sent', async () => {
    const sent = request(`${http()}/api/hash`, {
      method: 'POST',
      agent: false,
      headers: { expect: '100-continue', 'content-length': '5' },
    })
    sent.flushHeaders()
    await once(sent, 'continue')
    sent.end('hello')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect((await buffer(response)).toString()).toBe(hashOf(Buffer.from('hello')))
  })
})

describe('responses without a body', () => {
  test('HEAD has the headers of GET', async () => {
    const { status, headers, text } = await sendRequest(http(), '/api/big', { method: 'HEAD' })
    expect([status, headers['content-length'], text]).toEqual([200, String(bigBody.length), ''])
  })
  test('304 and 204', async () => {
    const notModified = await sendRequest(http(), '/api/not-modified')
    expect([notModified.status, notModified.headers.etag, notModified.text]).toEqual([304, '"x"', ''])
    expect(await sendRequest(http(), '/api/no-content')).toMatchObject({ status: 204, text: '' })
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
  test('hop-by-hop headers and those that Connection names are not forwarded', async () => {
    const { echo } = await sendRequest(http(), '/api/x', {
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
    const names = Object.keys(echo.headers)
    for (const name of [
      'x-drop-me',
      'keep-alive',
      'te',
      'proxy-authorization',
      'proxy-connection',
      'upgrade',
    ])
      expect(names).not.toContain(name)
    expect(echo.headers['x-kept']).toBe('yes')
  })

  test('the same for responses; everything else is unchanged, byte by byte', async () => {
    const response = await openResponse(http(), '/api/headers')
    response.resume()
    expect([response.statusCode, response.statusMessage]).toEqual([200, 'Fine Then'])
    for (const name of ['x-private', 'proxy-authenticate']) expect(response.headers).not.toHaveProperty(name)
    expect(response.headers['keep-alive']).not.toBe('timeout=9')
    expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(response.headers['x-bytes']).toBe('caf\xe9')
    expect(response.headers.date).toBe('Thu, 01 Jan 1970 00:00:00 GMT')
  })

  test('Host is the client’s and appears once; X-Forwarded-* describe the client', async () => {
    const { echo } = await sendRequest(http(), '/api/x', { headers: { host: 'study.example.org:8443' } })
    expect(echo.rawHeaders.filter((part) => part.toLowerCase() === 'host')).toHaveLength(1)
    expect(echo.headers).toMatchObject({
      host: 'study.example.org:8443',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'study.example.org:8443',
    })
  })

  test('X-Forwarded-* sent by a client are not trusted', async () => {
    const headers = { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil' }
    const { echo } = await sendRequest(http(), '/api/x', { headers: { ...headers, host: 'x' } })
    expect(echo.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'x',
    })
  })
})

describe('behind a trusted proxy', () => {
  const behind = useWorld({ pods: 1, env: async () => ({ TRUST_PROXY: 'loopback, 10.0.0.0/8' }) })
  test('what it reports is forwarded, but not what it merely repeats', async () => {
    const { echo } = await sendRequest(behind().router.http, '/api/x', {
      headers: {
        'x-forwarded-for': '6.6.6.6, 1.2.3.4, 10.0.0.7',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'study.example.org',
      },
    })
    expect(echo.headers).toMatchObject({
      'x-forwarded-for': '1.2.3.4, 10.0.0.7, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'study.example.org',
    })
  })
})
