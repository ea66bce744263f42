import type { TObject, TSchema } from 'typebox'
import type { EnvelopeKind, ErrorCode } from '../errors.ts'
import type { AddressLimitedEndpoint, LimitedEndpoint, ResearcherWork } from '../limits.ts'
import type { NeededAccess } from './access.ts'

/** Who may call a route. `researcher` includes admins (R7); `internal` is whoever holds INTERNAL_API_KEY. */
export type RouteAuth = 'none' | 'id_token' | 'session' | 'researcher' | 'admin' | 'internal'

export interface RouteSpec {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `:name` for parameters, which the OpenAPI document turns into `{name}`. */
  path: string
  tag: string
  summary: string
  description?: string
  auth: RouteAuth
  /** R37: the access that the caller needs to the experiment named in the path. */
  access?: NeededAccess
  envelope: EnvelopeKind
  rateLimit?: LimitedEndpoint
  /** For routes that anyone may call. */
  addressLimit?: AddressLimitedEndpoint
  /** R51: also accepts the ID tokens of guests, who are otherwise refused. */
  guests?: true
  /**
   * R49: `never`: for people alone, however much access an API key has. `filtered`: belongs to no experiment, but shows a
   * key that is limited to some experiments only these.
   */
  keys?: 'never' | 'filtered'
  /** The only response that contains an API key, which is hidden everywhere else. */
  showsKey?: true
  /** The cost, where the method alone does not tell; see `researcherWorkOf`. */
  work?: ResearcherWork
  /** Documented request headers other than the credential. */
  headers?: TObject
  params?: TObject
  query?: TObject
  body?: TSchema
  /** JSON if absent. */
  bodyType?: 'multipart/form-data'
  success: {
    status: number
    schema?: TSchema
    contentType?: string
    /** What the caller may choose instead; the schema is not about these. */
    furtherContentTypes?: readonly string[]
    description: string
  }
  /** Errors specific to this route; `errorsOf` adds those that follow from auth, body and limits. */
  errors?: readonly ErrorCode[]
}

/**
 * Path parameters that lead to an experiment, and the error code for an unknown id. Callers who may not see the
 * experiment get the same code.
 */
export const subjectCodes = {
  experimentId: 'EXPERIMENT_NOT_FOUND',
  roomId: 'ROOM_NOT_FOUND',
  sessionId: 'NOT_FOUND',
} as const satisfies Record<string, ErrorCode>
export type AccessSubject = keyof typeof subjectCodes

/** R37: a researcher route that names an experiment, a room or a session does not compile without `access`. */
type AccessRule<Spec> = Spec extends {
  auth: 'researcher' | 'admin'
  path: `${string}/:${AccessSubject}${'' | `/${string}`}`
}
  ? { access: NeededAccess }
  : { access?: never }

export const defineRoute = <const Spec extends RouteSpec>(spec: Spec & AccessRule<Spec>): Spec => spec

/** The path parameter that leads to the experiment; undefined if the route belongs to no experiment. */
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
  internal: ['UNAUTHENTICATED', 'RATE_LIMITED'],
}

const anyRoute: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'HOST_REFUSED',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
  'UNAVAILABLE',
]

/** Every error code that a route may return. The reference lists them, and tests accept no others. */
export function errorsOf(route: RouteSpec): ErrorCode[] {
  const codes = new Set<ErrorCode>([...(route.errors ?? []), ...authErrors[route.auth]])
  if (route.body) for (const code of ['PAYLOAD_TOO_LARGE', 'REQUEST_TIMEOUT'] as const) codes.add(code)
  const subject = accessSubjectOf(route)
  if (subject) codes.add(subjectCodes[subject])
  if (route.rateLimit || route.addressLimit) codes.add('RATE_LIMITED')
  // Guests, and API keys, which never take part.
  if (route.auth === 'id_token') codes.add('FORBIDDEN')
  for (const code of anyRoute) codes.add(code)
  return [...codes]
}

/** The kind of work a researcher's request counts as; undefined for all other routes. */
export const researcherWorkOf = ({ auth, method, work }: RouteSpec): ResearcherWork | undefined =>
  auth === 'researcher' || auth === 'admin' ? (work ?? (method === 'GET' ? 'read' : 'write')) : undefined
