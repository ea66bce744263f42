import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { waitUntil } from '@atrium/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Asker } from './connection.ts'
import { createPools, type Pools } from './pools.ts'

let server: Server
let sockets: Socket[]
let origin: string
let nowMs: number
let pools: Pools

beforeEach(async () => {
  sockets = []
  server = createServer((socket) => void sockets.push(socket.on('error', () => undefined))).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  nowMs = 0
  pools = createPools({ connectMs: 1_000, answerMs: 60_000, goneMs: 20_000 }, () => nowMs)
})
afterEach(() => {
  pools.destroy()
  server.close()
})

/** Asks, and collects what it hears. */
function ask(): string[] {
  const heard: string[] = []
  const asker: Asker = {
    onHead: ({ status }) => void heard.push(String(status)),
    onBody: (bytes) => void heard.push(String(bytes)),
    onEnd: () => void heard.push('end'),
    onFailed: ({ error, wasSent }) => void heard.push(`${error.message}, ${wasSent ? 'sent' : 'not sent'}`),
  }
  pools.to(origin).ask({ method: 'GET', head: 'GET / HTTP/1.1\r\nHost: x\r\n\r\n' }, asker, false)
  return heard
}
const answer = (socket: Socket | undefined) => socket?.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
const untilHeard = (heard: string[], what: string) => waitUntil(() => heard.includes(what) || heard.join())

test('a backend that is not seen any more finishes what is under way, as one that stops', async () => {
  const heard = ask()
  await waitUntil(() => sockets.length === 1 || 'not there yet')
  nowMs = 20_000
  pools.keepOnly(new Set())
  answer(sockets[0])
  await untilHeard(heard, 'end')
  expect(heard).toEqual(['200', 'ok', 'end'])
})

test('one that does not finish is given up, as one that hangs', async () => {
  const heard = ask()
  await waitUntil(() => sockets.length === 1 || 'not there yet')
  nowMs = 15_000
  pools.keepOnly(new Set([origin]))
  nowMs = 35_000
  pools.keepOnly(new Set())
  expect(heard).toEqual([])
  nowMs = 35_001
  pools.keepOnly(new Set())
  await untilHeard(heard, 'the backend closed the connection, sent')
})

test('one whose connection is refused has got nothing', async () => {
  server.close()
  await once(server, 'close')
  const heard = ask()
  await waitUntil(() => heard.length === 1 || 'nothing heard')
  expect(heard[0]).toMatch(/ECONNREFUSED.*, not sent/)
})

test('a connection that was just closed is not used', async () => {
  const first = ask()
  await waitUntil(() => sockets.length === 1 || 'not there yet')
  answer(sockets[0])
  await untilHeard(first, 'end')
  pools.destroy() // Closed, but nobody has been told yet.
  const second = ask()
  await waitUntil(() => sockets.length === 2 || 'not there yet')
  answer(sockets[1])
  await untilHeard(second, 'end')
})
