import {
  type CalledRoute,
  type EnvelopeKind,
  type ErrorCode,
  errorCatalogue,
  type RouteOf,
} from '@atrium/contract'
import type { Static, TSchema } from 'typebox'
import { parseRetryAfter } from './backoff.ts'
import type { Clock } from './clock.ts'
import { ApiRefused, asError, NoAnswer } from './errors.ts'
import { isRecord } from './records.ts'

/** The part of `fetch` that is used; any standard implementation will do. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string | FormData; signal: AbortSignal },
) => Promise<{ status: number; headers: { get(name: string): string | null }; text(): Promise<string> }>

export interface HttpDeps {
  baseUrl: string
  fetch: Fetch
  clock: Clock
  userAgent: string | undefined
  /** Aborts requests in progress. */
  closing: AbortSignal
}

export interface Call {
  headers: Record<string, string>
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** Instead of `body`, for a file. */
  form?: FormData
  /** For a request that may take long. */
  patienceMs?: number
}

/** A route's documented success response; for the participant API, the `data` inside it. */
export type DataOf<Called extends CalledRoute> = RouteOf<Called>['success'] extends {
  schema: infer Schema extends TSchema
}
  ? Static<Schema> extends { data: infer Data }
    ? Data
    : Static<Schema>
  : never

/** A request without a response for this long is considered lost; all of ours are safe to repeat. */
const usualPatienceMs = 20_000

export type Http = ReturnType<typeof createHttp>

export function createHttp({ baseUrl, fetch, clock, userAgent, closing }: HttpDeps) {
  /** Returns the data of the response. Throws ApiRefused for a refusal, NoAnswer when there is no response. */
  return async <Called extends CalledRoute>(route: Called, call: Call): Promise<DataOf<Called>> => {
    const { headers, body, form, patienceMs = usualPatienceMs } = call
    const patience = new AbortController()
    const giveUp = (): void => patience.abort()
    const callOff = clock.after(patienceMs, giveUp)
    closing.addEventListener('abort', giveUp)
    if (closing.aborted) giveUp()
    try {
      const response = await fetch(baseUrl + addressOf(route, call), {
        method: route.method,
        headers: {
          ...headers,
          // Browsers set their own and ignore this; programs must send the same over HTTP and sockets (R13).
          ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // With a content type of its own, which only `fetch` knows.
        ...(form && { body: form }),
        signal: patience.signal,
      })
      const text = await response.text()
      const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), clock.now())
      return dataOf<Called>(route.envelope, response.status, text, retryAfterMs)
    } catch (error) {
      if (error instanceof ApiRefused) throw error
      const silence = closing.aborted ? 'called off' : `no answer within ${patienceMs} ms`
      const why = patience.signal.aborted ? silence : asError(error).message
      throw new NoAnswer(`${route.method} ${route.path}: ${why}`, { cause: error })
    } finally {
      callOff()
      closing.removeEventListener('abort', giveUp)
    }
  }
}

function addressOf({ path }: CalledRoute, { params = {}, query }: Call): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return query ? `${filled}?${new URLSearchParams(query)}` : filled
}

export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorCatalogue, value)

/**
 * R8. The envelope is checked, the documented data inside it is trusted: a page loaded before an upgrade must not lose
 * its participant because the server now sends another field.
 */
export function dataOf<Called extends CalledRoute>(
  envelope: EnvelopeKind,
  status: number,
  text: string,
  retryAfterMs: number | undefined,
): DataOf<Called> {
  const body = parseJson(text)
  const outer = isRecord(body) ? body : {}
  const isPlain = envelope === 'plain'
  const data = isPlain ? body : outer.status === 'success' && outer.data
  if (status < 300 && isRecord(data)) return data as DataOf<Called>
  const error = isPlain ? { ...outer, message: outer.error } : isRecord(outer.error) ? outer.error : {}
  throw new ApiRefused({
    code: isErrorCode(error.code) ? error.code : 'UNKNOWN',
    message: typeof error.message === 'string' ? error.message : `The server answered with status ${status}.`,
    status,
    details: isRecord(error.details) ? error.details : {},
    retryAfterMs,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // For example a proxy's page. The caller sees the status.
  }
}
