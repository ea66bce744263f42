import type { TObject, TSchema } from 'typebox'
import type { EnvelopeKind, ErrorCode } from '../errors.ts'
import type { AddressLimitedEndpoint, LimitedEndpoint, ResearcherWork } from '../limits.ts'

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

export const defineRoute = <const Spec extends RouteSpec>(spec: Spec): Spec => spec

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
  if (route.rateLimit || route.addressLimit) codes.add('RATE_LIMITED')
  if (route.auth === 'id_token' && !route.guests) codes.add('FORBIDDEN')
  for (const code of ['VALIDATION_FAILED', 'HEADERS_TOO_LARGE', 'INTERNAL', 'UNAVAILABLE'] as const)
    codes.add(code)
  return [...codes]
}

/** What a researcher's request counts as; undefined for everyone else's, and for health and reference. */
export const researcherWorkOf = ({ auth, method, work }: RouteSpec): ResearcherWork | undefined =>
  auth === 'researcher' || auth === 'admin' ? (work ?? (method === 'GET' ? 'read' : 'write')) : undefined
