import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { waitUntil } from '@atrium/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPools, type Pools } from './pools.ts'

let server: Server
let sockets: Socket[]
let origin: string
let nowMs: number
let pools: Pools

beforeEach(async () => {
  sockets = []
  const onConnection = (socket: Socket) => void sockets.push(socket.on('error', () => undefined))
  server = createServer(onConnection).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  nowMs = 0
  const perBackend = { maxActive: 2, maxQueued: 1, queueTimeoutMs: 600_000 }
  pools = createPools(
    { connectTimeoutMs: 1_000, responseTimeoutMs: 60_000, abandonAfterMs: 20_000, perBackend },
    () => nowMs,
  )
})
afterEach(() => {
  pools.destroy()
  server.close()
})

/** Sends a request and collects what happens. */
function send(): string[] {
  const pool = pools.to(origin)
  const connection = pool.takeConnection()
  const events: string[] = []
  connection.client.dispatch(
    { method: 'GET', path: '/' },
    {
      onRequestStart: () => void events.push(connection.responses > 0 ? 'kept' : 'new'),
      onResponseStart: (_controller, status) => void events.push(String(status)),
      onResponseData: () => undefined,
      onResponseEnd: () => {
        pool.giveBack(connection)
        events.push('end')
      },
      onResponseError: (_controller, error) => {
        pool.drop(connection)
        events.push(error.message)
      },
    },
  )
  return events
}
const respond = (socket: Socket | undefined) =>
  socket?.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
const untilEvent = (events: string[], what: string) => waitUntil(() => events.includes(what) || events.join())
const untilConnected = (count: number) => waitUntil(() => sockets.length === count || 'not there yet')

test('a backend that is no longer seen may finish its requests, as when it stops', async () => {
  const events = send()
  await untilConnected(1)
  nowMs = 20_000
  pools.keepOnly(new Set())
  await untilEvent(events, 'new')
  respond(sockets[0])
  await untilEvent(events, 'end')
  expect(events).toEqual(['new', '200', 'end'])
})

test('a backend that does not finish is abandoned, as when it hangs', async () => {
  const events = send()
  await untilConnected(1)
  await untilEvent(events, 'new')
  nowMs = 15_000
  pools.keepOnly(new Set([origin]))
  nowMs = 35_000
  pools.keepOnly(new Set())
  expect(events).toEqual(['new'])
  nowMs = 35_001
  pools.keepOnly(new Set())
  await untilEvent(events, 'the backend is gone')
})

test('a backend that refuses the connection has received nothing', async () => {
  server.close()
  await once(server, 'close')
  const events = send()
  await waitUntil(() => events.length === 1 || 'nothing happened')
  expect(events[0]).toContain('ECONNREFUSED')
})

test('a connection is reused', async () => {
  for (const turn of ['new', 'kept', 'kept']) {
    const events = send()
    await waitUntil(() => events.length > 0 || 'not sent yet')
    respond(sockets[0])
    await untilEvent(events, 'end')
    expect(events[0]).toBe(turn)
  }
  expect(sockets).toHaveLength(1)
})
