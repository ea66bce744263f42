import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createTcpServer,
  isIP,
  type LookupFunction,
  type Server,
  type Socket,
} from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { selfSigned } from '@atrium/testkit'
import { onTestFinished } from 'vitest'
import type { Schedule } from '../../../kernel/clock.ts'
import { type OpenSocket, openSocket } from '../guarded-agents.ts'
import { createGuardedFetch, type GuardedFetch, type GuardOptions } from '../guarded-fetch.ts'

export function guard(options: GuardOptions): GuardedFetch {
  const guarded = createGuardedFetch(options)
  onTestFinished(guarded.close)
  return guarded
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Its connections end with the test, whatever the handler leaves open. */
export async function startHttp(handler: RequestListener, isTls = false): Promise<number> {
  const server = isTls ? createHttpsServer(selfSigned, handler) : createHttpServer(handler)
  onTestFinished(() => server.closeAllConnections())
  return listen(server)
}

/** Says what no HTTP library would, once the request is there. */
export async function startRaw(reply: (socket: Socket, nth: number) => void): Promise<number> {
  const sockets = new Set<Socket>()
  let requests = 0
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('data', () => reply(socket, ++requests))
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return listen(server)
}

/** Sends the piece again and again until the other side has had enough; resolves with how much it took. */
export function flood(socket: Socket, piece: string): Promise<number> {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  more()
  return new Promise((resolve) => socket.once('close', () => resolve(socket.bytesWritten)))
}

/**
 * A public internet on loopback: connections to any public address arrive at `port`, and claim to have reached the
 * address that the look-up gave or, with `reaches`, another one. No packet leaves the machine.
 */
export function createInternet({ port, reaches }: { port: number; reaches?: string }) {
  const dialled: string[] = []
  const open: OpenSocket = (target, isTls) => {
    const { host = '', lookup } = target
    let address = ''
    const dial = (addresses: string[]) => {
      dialled.push(...addresses)
      address = addresses[0] ?? ''
    }
    const lookUpHere: LookupFunction = (hostname, options, callback) =>
      lookup?.(hostname, { ...options, all: true }, (error, found) => {
        if (error || typeof found === 'string') return callback(error, [])
        dial(found.map((each) => each.address))
        callback(null, [{ address: '127.0.0.1', family: 4 }])
      })
    // As in `net.connect`, a literal is not looked up.
    const isLiteral = isIP(host) !== 0
    if (isLiteral) dial([host])
    const here = isLiteral ? { host: '127.0.0.1' } : { lookup: lookUpHere }
    const trust = { servername: 'localhost', ca: selfSigned.cert }
    const socket = openSocket({ ...target, port, ...here, ...trust }, isTls)
    Object.defineProperty(socket, 'remoteAddress', { get: () => reaches ?? address })
    return socket
  }
  return { open, dialled }
}

/** Time that passes only when a test says so. */
export function createTestSchedule(): { schedule: Schedule; pass(ms: number): void } {
  const waiting = new Set<{ atMs: number; action: () => void }>()
  let nowMs = 0
  return {
    schedule(ms, action) {
      const entry = { atMs: nowMs + ms, action }
      waiting.add(entry)
      return () => void waiting.delete(entry)
    },
    pass(ms) {
      nowMs += ms
      for (const entry of [...waiting].filter(({ atMs }) => atMs <= nowMs)) {
        waiting.delete(entry)
        entry.action()
      }
    },
  }
}

/** Collects what nothing refers to. Weak references count until the next turn of the event loop. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  for (const _ of [1, 2]) {
    await new Promise(setImmediate)
    collect()
  }
}
