import type { Server } from 'socket.io'
import type { Sessions } from '../modules/sessions/index.ts'
import type { Bus } from '../ports/bus.ts'
import type { SessionSocket } from './handshake.ts'

/** R15 allows 5 s. The bus is faster; this is for when it fails. */
const lookEveryMs = 2_500

export interface SessionWatchParts {
  io: Server
  sessions: Sessions
  bus: Bus
  /** Namespaces that tell it themselves. */
  except: readonly string[]
  onError(error: unknown): void
}

/** Closes the sockets of sessions that have ended, on whichever instance that happened. */
export function watchSessions({ io, sessions, bus, except, onError }: SessionWatchParts): () => void {
  const socketsOf = (): SessionSocket[] =>
    [...io._nsps.values()]
      .filter(({ name }) => !except.includes(name))
      .flatMap((namespace) => [...namespace.sockets.values()] as unknown as SessionSocket[])

  async function closeEnded(sockets: SessionSocket[]): Promise<void> {
    const ids = [...new Set(sockets.map((socket) => socket.data.session.sessionId))]
    if (ids.length === 0) return
    const ended = await sessions.endedAmong(ids)
    for (const socket of sockets) {
      const status = ended.get(socket.data.session.sessionId)
      if (status === undefined) continue
      // The session goes on; whoever connects again is told what is missing.
      if (status !== 'without_consent') socket.emit('session_ended', { status })
      socket.disconnect(true)
    }
  }

  bus.subscribe('sessions_changed', ({ sessionIds }) => {
    const changed = new Set(sessionIds)
    closeEnded(socketsOf().filter((socket) => changed.has(socket.data.session.sessionId))).catch(onError)
  })
  const timer = setInterval(() => void closeEnded(socketsOf()).catch(onError), lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
