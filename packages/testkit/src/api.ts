import { developmentIdentityRoutes, type RouteSpec } from '@atrium/contract'
import type { Static, TSchema } from 'typebox'
import { type ApiResponse, isEventStream, undocumented } from './documented.ts'

export interface CallOptions {
  /** ID token, sent as Authorization. */
  token?: string
  session?: { sessionId: string; sessionToken?: string }
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
}

type Success<Spec extends RouteSpec> = Spec['success'] extends { schema: infer Schema extends TSchema }
  ? Static<Schema>
  : unknown

export type Api = ReturnType<typeof createApi>

/**
 * Calls a server with nothing but the contract. Checks every response against the route's documentation, so that each
 * test also tests the reference.
 */
export function createApi(address: string | (() => string), userAgent = 'atrium-test/1.0') {
  const base = typeof address === 'string' ? () => address : address

  async function call<Spec extends RouteSpec>(
    route: Spec,
    options: CallOptions = {},
  ): Promise<ApiResponse<Success<Spec>>> {
    const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(options.params?.[name] ?? name),
    )
    const query = options.query ? `?${new URLSearchParams(options.query)}` : ''
    const response = await fetch(base() + path + query, {
      method: route.method,
      redirect: 'manual',
      headers: headersOf(options, userAgent),
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    const text = await textOf(response)
    const result = { status: response.status, headers: response.headers, text, body: parsed(response, text) }
    const fault = undocumented(route, result)
    if (fault) throw new Error(`${route.method} ${path} sent an undocumented response: ${fault}`)
    return result as ApiResponse<Success<Spec>>
  }

  return {
    call,
    /** An ID token of the development issuer, which marks every e-mail address as verified. */
    async token(sub: string, roles?: string[], email?: string): Promise<string> {
      const response = await call(developmentIdentityRoutes.token, {
        body: { sub, ...(roles ? { roles } : {}), ...(email ? { email } : {}) },
      })
      return response.body.idToken
    },
  }
}

function headersOf(
  { token, session, body, headers }: CallOptions,
  userAgent: string,
): Record<string, string> {
  return {
    'user-agent': userAgent,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(session === undefined ? {} : { 'x-session-id': session.sessionId }),
    ...(session?.sessionToken === undefined ? {} : { 'x-session-token': session.sessionToken }),
    ...headers,
  }
}

const parsed = (response: Response, text: string): unknown =>
  response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : undefined

/** Of a stream of events, which need not end, only the first. */
async function textOf(response: Response): Promise<string> {
  if (!response.body || !isEventStream(response.headers)) return await response.text()
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.includes('\n\n')) break
  }
  return text
}
