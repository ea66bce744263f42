import type { SessionStatus } from '@atrium/contract'
import type { Server } from 'socket.io'
import type { Bus } from '../ports/bus.ts'
import type { SessionSocket } from './handshake.ts'
import { namespacesOf } from './socket-io-internals.ts'

/** R15 allows 5 s. The bus is faster; this is the fallback for when it fails. */
const checkEveryMs = 2_500

export interface SessionWatchDeps {
  io: Server
  /** Which of these sessions may have no socket any more, and why. */
  sessions: { endedAmong(sessionIds: string[]): Promise<Map<string, SessionStatus | 'without_consent'>> }
  bus: Bus
  /** Namespaces that handle this themselves. */
  except: readonly string[]
  onError(error: unknown): void
}

/** Closes the sockets of sessions that have ended, on whichever instance they ended. */
export function watchSessions({ io, sessions, bus, except, onError }: SessionWatchDeps): () => void {
  const socketsOf = (): SessionSocket[] =>
    namespacesOf(io)
      .filter(({ name }) => !except.includes(name))
      .flatMap((namespace) => [...namespace.sockets.values()] as unknown as SessionSocket[])

  async function closeEnded(sockets: SessionSocket[]): Promise<void> {
    const ids = [...new Set(sockets.map((socket) => socket.data.session.sessionId))]
    if (ids.length === 0) return
    const ended = await sessions.endedAmong(ids)
    for (const socket of sockets) {
      const status = ended.get(socket.data.session.sessionId)
      if (status === undefined) continue
      // The session continues; the client learns what is missing when it reconnects.
      if (status !== 'without_consent') socket.emit('session_ended', { status })
      socket.disconnect(true)
    }
  }

  bus.subscribe('sessions_changed', ({ sessionIds }) => {
    const changed = new Set(sessionIds)
    closeEnded(socketsOf().filter((socket) => changed.has(socket.data.session.sessionId))).catch(onError)
  })
  const timer = setInterval(() => void closeEnded(socketsOf()).catch(onError), checkEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
