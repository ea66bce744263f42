import { limits } from '@atrium/contract'
import type { Namespace, Server, Socket } from 'socket.io'
import { AppError } from '../kernel/app-error.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import type { Door } from './door.ts'
import { decideHandshake, type OnDecided, rateLimited } from './handshake.ts'
import type { Share, Shares } from './shares.ts'

/** A socket of somebody who is signed in, as opposed to a participant's session. */
export type PersonSocket<Known> = Socket<
  Record<string, never>,
  Record<string, (payload: unknown) => void>,
  Record<string, never>,
  { person: Known; share: Share }
>

export interface PersonHandshakeDeps {
  io: Server
  door: Door
  shares: Shares
  limiter: RateLimiter
  onDecided: OnDecided
}

/** Opens a namespace for people who present an ID token. `recognise` throws unless they may enter. */
export function openForPeople<Known>(
  { io, door, shares, limiter, onDecided }: PersonHandshakeDeps,
  name: string,
  recognise: (auth: unknown) => Promise<{ person: Known; key: string }>,
): Namespace {
  /** R10: failures are counted by address, over HTTP and here together. */
  async function countFailure(socket: Socket, error: unknown): Promise<never> {
    if (!(error instanceof AppError) || error.code !== 'UNAUTHENTICATED') throw error
    const address = door.addressOf(socket.conn)
    const state = await limiter.consume('failed', address, limits.failedAuthenticationsPerWindow)
    throw state.allowed ? error : rateLimited(state.resetInMs)
  }

  async function admit(socket: Socket): Promise<void> {
    const { person, key } = await recognise(socket.handshake.auth).catch((error: unknown) =>
      countFailure(socket, error),
    )
    const share = shares.of(key)
    const now = performance.now()
    if (!share.handshakes.take(now)) throw rateLimited(share.handshakes.msUntil(now, 1))
    door.admit(socket.conn, name, key, false)
    Object.assign(socket.data, { person, share })
  }

  const namespace = io.of(name)
  namespace.use(decideHandshake(door, admit, onDecided))
  namespace.on('connection', (socket) => socket.on('disconnect', () => door.leave(socket.conn, name)))
  return namespace
}
