import type { ExperimentAccess, KeyScope, RouteSpec } from '@atrium/contract'

// What the HTTP edge asks of the rest of the server. Modules know more about people and sessions than these
// interfaces say, and their routes receive all of it.

/** Who is this person? */
export interface Person {
  issuer: string
  subject: string
  isAdmin: boolean
  isResearcher: boolean
  guest?: object
  /** R49: set if a script acts in their name. */
  key?: KeyScope & { keyId: string }
}

/** Who is this session? */
export interface Session {
  sessionId: string
  experimentId: string
}

export interface PersonCheck<Known extends Person> {
  authenticate(authorization: string | undefined): Promise<Known>
}

interface PresentedSession {
  sessionId: string | undefined
  sessionToken: string | undefined
  ipAddress: string
  userAgent: string
}

export interface SessionCheck<Known extends Session> {
  /** The session behind a request, whatever its status. */
  recognise(presented: PresentedSession): Promise<Known>
  /** Throws unless the session may still act. */
  admit(session: Known, mayBeCompleted: boolean): void
}

export interface AccessCheck<Known extends Person> {
  /** R37: what the caller may do with the experiment, room or session that the address names; throws if nothing. */
  admit(spec: RouteSpec, params: Record<string, string>, person: Known | undefined): Promise<ExperimentAccess>
}

/** Who is behind a request that the gate has let through. */
export interface Caller<KnownPerson extends Person, KnownSession extends Session> {
  identity?: KnownPerson
  session?: KnownSession
}
