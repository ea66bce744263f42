import { connect } from 'node:net'
import { keys } from '@atrium/coordination'
import { waitUntil } from '@atrium/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { echoRequest, startBackend } from './backend.ts'
import { headerOf, type SeenRequest, startLenientBackend } from './lenient-backend.ts'
import { sendRequest } from './requests.ts'
import { useWorld } from './router-world.ts'
import { type Vector, vectors } from './smuggling-vectors.ts'

interface Observed {
  origin: string
  /** Complete requests, as the backend parsed them. */
  seen(): readonly SeenRequest[]
  stop(): Promise<void>
}

/** Uses Node's parser, which rejects ambiguity. */
async function startStrictBackend(): Promise<Observed> {
  const seen: SeenRequest[] = []
  const backend = await startBackend('strict', (incoming, response) => {
    const { method, url, rawHeaders } = incoming
    const headers = rawHeaders.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\n`)).join('')
    incoming.on('end', () => seen.push({ line: `${method} ${url} HTTP/1.1`, headers }))
    return echoRequest(incoming, response).catch(() => undefined) // The request was aborted.
  })
  backend.server.removeAllListeners('upgrade')
  return { origin: backend.origin, seen: () => seen, stop: backend.stop }
}

const backends: [string, () => Promise<Observed>][] = [
  ['a strict backend', startStrictBackend],
  [
    'a lenient backend that counts bytes',
    () => startLenientBackend({ prefers: 'length', length: 'last', ignoresBodyOfGet: true }),
  ],
  [
    'a lenient backend that reads chunks',
    () => startLenientBackend({ prefers: 'coding', length: 'first', ignoresBodyOfGet: false }),
  ],
]

/** Concurrent attacks, and victims that share the same backend connections. */
const attackers = 6
const victims = 4

const world = useWorld({ pods: 0 })

test('the corpus is large, and each vector has its own name', () => {
  expect(vectors.length).toBeGreaterThanOrEqual(100)
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
})

describe.each(backends)('%s', (name, start) => {
  test('sees only requests that the router made, and no client receives another’s response', {
    timeout: 180_000,
  }, async () => {
    const backend = await start()
    onTestFinished(() => backend.stop())
    const podId = `pod-${name.replaceAll(' ', '-')}`
    const room = `room_${vectors.length}_${name.replaceAll(' ', '_')}`
    await world().lease({ name: podId, origin: backend.origin })
    await world().untilBackends(1)
    onTestFinished(() => void world().directory.del(keys.podLease(podId)))
    await world().pin(room, podId)
    const path = `/api/room/${room}`

    let attacksLeft = true
    let sent = 0
    const victim = async (who: number): Promise<void> => {
      for (let turn = 0; attacksLeft || turn < 20; turn++) {
        const marker = `victim-${who}-${turn}`
        sent++
        const { status, text } = await sendRequest(world().router.http, `${path}?${marker}`, {
          ...(turn % 2 ? { method: 'POST', body: marker } : {}),
          headers: { 'x-marker': marker },
        })
        expect([status, text.includes(`${path}?${marker}`), text.includes(marker)], text).toEqual([
          200,
          true,
          true,
        ])
        expect(
          text.match(/victim-\d+-\d+/g)?.every((found) => found === marker),
          text,
        ).toBe(true)
      }
    }
    const responses = new Map<Vector, string>()
    const waiting = [...vectors]
    const attacker = async (): Promise<void> => {
      for (let vector = waiting.shift(); vector; vector = waiting.shift())
        responses.set(vector, await attack(vector, path))
    }
    const bystanders = Array.from({ length: victims }, (_, who) => victim(who))
    await Promise.all(Array.from({ length: attackers }, attacker)).finally(() => {
      attacksLeft = false
    })
    await Promise.all(bystanders)

    for (const [vector, received] of responses) {
      expect.soft(received, vector.name).not.toMatch(/victim-/)
      if (!vector.made) expect.soft(received, vector.name).toMatch(refused)
      else expect.soft(received, vector.name).toMatch(/^HTTP\/1\.1 [12]\d\d /)
    }
    const made = vectors.reduce((total, vector) => total + (vector.made ?? 0), 0)
    await waitUntil(
      () => backend.seen().length >= sent + made || `${backend.seen().length} of ${sent + made}`,
    )
    for (const { line, headers } of backend.seen()) {
      expect.soft(line).toMatch(/^(GET|POST|DELETE) \S+ HTTP\/1\.1$/)
      expect.soft(line).not.toContain('smuggled')
      expect.soft(headers.match(/^x-forwarded-for: .*$/gim), line).toEqual(['x-forwarded-for: 127.0.0.1'])
      expect.soft(headers.match(/^(content-length|transfer-encoding):/gim)?.length ?? 0, line).toBeLessThan(2)
      expect.soft(headerOf(headers, 'host', 'first'), line).toBeDefined()
    }
    expect(backend.seen().length).toBe(sent + made)
  })
})

/** A single refusal and nothing else, with a body that gives the reason, except for HEAD. */
const refused =
  /^HTTP\/1\.1 4\d\d [^\n]*\n(?:[\w-]+: [^\n]*\n)*\r\n(?:\{"error":"[^{}]*","code":"[A-Z_]+","details":\{.*\}\})?$/

/** Sends the bytes and returns everything received until the router closes the connection. */
async function attack({ bytes, made, isUnfinished }: Vector, path: string): Promise<string> {
  const socket = connect(Number(new URL(world().router.http).port), '127.0.0.1')
  let received = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  const text = bytes
    .replaceAll('/socket.io/?OUTER', `/socket.io/?roomId=${path.split('/').at(-1)}`)
    .replaceAll('OUTER', `${path}?outer`)
  // A valid request is followed by one that ends the connection; a refused request ends it itself.
  socket.write(Buffer.from(made ? text + lastRequest : text, 'latin1'))
  if (isUnfinished) socket.end()
  // If it stays open, something was not refused; the responses are checked above.
  await waitUntil(() => socket.closed || 'still open').catch(() => socket.destroy())
  return received
}

const lastRequest = 'GET /health/router HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
