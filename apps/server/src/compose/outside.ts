import type { FastifyInstance } from 'fastify'
import type { Routes } from '../http/route.ts'
import type { Identity } from '../modules/identity/index.ts'
import type { SessionRecord } from '../modules/sessions/index.ts'
import type { AroundAction, OnDefect } from '../realtime/acknowledge.ts'
import type { Handshakes } from '../realtime/handshake.ts'
import type { PersonHandshakeDeps } from '../realtime/person-handshake.ts'

/** Where modules register their routes. */
export interface HttpEdge {
  app: FastifyInstance
  routes: Routes<Identity, SessionRecord>
}

/** Where modules open their socket namespaces. */
export interface SocketEdge {
  /** For participants, by their session. */
  handshakes: Handshakes<SessionRecord>
  /** For others, by their ID token. */
  personHandshakes: PersonHandshakeDeps
  /** Undefined: no traces. */
  around: AroundAction | undefined
  onDefect: OnDefect
  /** Called before the sockets are closed. */
  onClose(close: () => void): void
}

/** What a module shows outside. It is asked for it once everything is open. */
export interface Outside {
  routes?(edge: HttpEdge): void
  sockets?(edge: SocketEdge): void
}
