import type { TObject, TSchema } from 'typebox'
import type { EnvelopeKind, ErrorCode } from '../errors.ts'
import type { AddressLimitedEndpoint, LimitedEndpoint, ResearcherWork } from '../limits.ts'
import type { NeededAccess } from './access.ts'

/** Who may call a route. `researcher` includes admins (R7). */
export type RouteAuth = 'none' | 'id_token' | 'session' | 'researcher' | 'admin'

export interface RouteSpec {
  method: 'GET' | 'POST' | 'PUT'
  /** With `:name` for parameters; OpenAPI’s braces are made from it. */
  path: string
  tag: string
  summary: string
  description?: string
  auth: RouteAuth
  /** R37: what the caller must be allowed to do with the experiment that the address names. */
  access?: NeededAccess
  envelope: EnvelopeKind
  rateLimit?: LimitedEndpoint
  /** For routes that anybody may call. */
  addressLimit?: AddressLimitedEndpoint
  /** R51: among those with an ID token, guests as well; without it they are refused. */
  guests?: true
  /** What it costs, where that is more than its method says; see `researcherWorkOf`. */
  work?: ResearcherWork
  /** Documented request headers beside the credential. */
  headers?: TObject
  params?: TObject
  query?: TObject
  body?: TSchema
  success: { status: number; schema?: TSchema; contentType?: string; description: string }
  /** Refusals of this route alone; those that follow from auth, body and limits are added by `errorsOf`. */
  errors?: readonly ErrorCode[]
}

/**
 * What an address can name that belongs to an experiment, and what is answered when there is no such thing. Whoever may
 * not see the experiment gets the same answer.
 */
export const subjectCodes = {
  experimentId: 'EXPERIMENT_NOT_FOUND',
  roomId: 'ROOM_NOT_FOUND',
  sessionId: 'NOT_FOUND',
} as const satisfies Record<string, ErrorCode>
export type AccessSubject = keyof typeof subjectCodes

/** R37: a researcher’s route that names an experiment, a room or a session does not compile without `access`. */
type AccessRule<Spec> = Spec extends {
  auth: 'researcher' | 'admin'
  path: `${string}/:${AccessSubject}${'' | `/${string}`}`
}
  ? { access: NeededAccess }
  : { access?: never }

export const defineRoute = <const Spec extends RouteSpec>(spec: Spec & AccessRule<Spec>): Spec => spec

/** Which part of the address says whose experiment a route is about; undefined where nobody in particular owns it. */
export function accessSubjectOf({ access, path }: RouteSpec): AccessSubject | undefined {
  const names = Object.keys(subjectCodes) as AccessSubject[]
  return access && names.find((name) => path.split('/').includes(`:${name}`))
}

const authErrors: Record<RouteAuth, readonly ErrorCode[]> = {
  none: [],
  id_token: ['UNAUTHENTICATED', 'RATE_LIMITED'],
  session: ['SESSION_INVALID', 'SESSION_EXPIRED', 'SESSION_MISMATCH', 'RATE_LIMITED'],
  researcher: ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'],
  admin: ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'],
}

/** Every code that a route may answer with: the reference lists them, the tests accept no other. */
export function errorsOf(route: RouteSpec): ErrorCode[] {
  const codes = new Set<ErrorCode>([...(route.errors ?? []), ...authErrors[route.auth]])
  if (route.body) for (const code of ['PAYLOAD_TOO_LARGE', 'REQUEST_TIMEOUT'] as const) codes.add(code)
  const subject = accessSubjectOf(route)
  if (subject) codes.add(subjectCodes[subject])
  if (route.rateLimit || route.addressLimit) codes.add('RATE_LIMITED')
  if (route.auth === 'id_token' && !route.guests) codes.add('FORBIDDEN')
  for (const code of ['VALIDATION_FAILED', 'HEADERS_TOO_LARGE', 'INTERNAL', 'UNAVAILABLE'] as const)
    codes.add(code)
  return [...codes]
}

/** What a researcher's request counts as; undefined for everyone else's, and for health and reference. */
export const researcherWorkOf = ({ auth, method, work }: RouteSpec): ResearcherWork | undefined =>
  auth === 'researcher' || auth === 'admin' ? (work ?? (method === 'GET' ? 'read' : 'write')) : undefined
