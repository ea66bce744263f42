import type { CalledRoute, RouteOf, RouteSpec } from '@atrium/contract'
import type { Static, TSchema } from 'typebox'
import { texts } from '../text/shared.ts'

type Typed<Schema> = Schema extends TSchema ? Static<Schema> : undefined

/** The arguments of a route, typed by the contract. */
export type CallOptions<Called extends CalledRoute> = OptionsOf<RouteOf<Called>>
type OptionsOf<Spec extends RouteSpec> = { idToken?: string; signal?: AbortSignal } & (Spec extends {
  params: TSchema
}
  ? { params: Typed<Spec['params']> }
  : unknown) &
  (Spec extends { query: TSchema } ? { query?: Typed<Spec['query']> } : unknown) &
  (Spec extends { body: TSchema } ? { body: Typed<Spec['body']> } : unknown)

type Answer<Called extends CalledRoute> = Typed<RouteOf<Called>['success']['schema']>

/** The server refused or could not be understood. `code` is an error code of the contract, NO_ANSWER or UNKNOWN. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  readonly code: string
  readonly status: number
  readonly details: Record<string, unknown>

  constructor(code: string, message: string, status: number, details: Record<string, unknown> = {}) {
    super(message)
    this.code = code
    this.status = status
    this.details = details
  }
}

/** Calls a route of the contract. Throws CallFailed. */
export async function call<Called extends CalledRoute>(
  route: Called,
  options: CallOptions<Called>,
): Promise<Answer<Called>> {
  const response = await send(route, options)
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok || body === undefined) throw refusalOf(response.status, body)
  return body as Answer<Called>
}

/** Returns the raw response, for streams and anything but JSON. Throws CallFailed. */
export async function callRaw<Called extends CalledRoute>(
  route: Called,
  options: CallOptions<Called>,
): Promise<Response> {
  const response = await send(route, options)
  if (response.ok) return response
  throw refusalOf(response.status, await response.json().catch(() => undefined))
}

async function send(route: CalledRoute, options: Untyped): Promise<Response> {
  const { idToken, body, signal } = options
  const headers = {
    ...(idToken && { authorization: `Bearer ${idToken}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  return await fetch(addressOf(route, options), {
    method: route.method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new CallFailed('NO_ANSWER', texts().noAnswer, 0)
  })
}

interface Untyped {
  idToken?: string
  signal?: AbortSignal
  body?: unknown
  params?: unknown
  query?: unknown
}

function addressOf({ path }: CalledRoute, { params, query }: Untyped): string {
  const values = (params ?? {}) as Record<string, string>
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const search = new URLSearchParams((query ?? {}) as Record<string, string>).toString()
  return search === '' ? filled : `${filled}?${search}`
}

/** R8: `{error: {code, …}}` of the participant API, or `{error: sentence, code, details}` of everything else. */
function refusalOf(status: number, body: unknown): CallFailed {
  const outer = asRecord(body)
  const inner = typeof outer.error === 'string' ? { ...outer, message: outer.error } : asRecord(outer.error)
  const message = typeof inner.message === 'string' ? inner.message : texts().unexpectedStatus(status)
  return new CallFailed(String(inner.code ?? 'UNKNOWN'), message, status, asRecord(inner.details))
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
