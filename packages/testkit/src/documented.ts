import {
  type ErrorCode,
  envelopeKindOf,
  errorCatalogue,
  errorsOf,
  ParticipantError,
  PlainError,
  type RouteSpec,
} from '@atrium/contract'
import { Value } from 'typebox/value'

export interface ApiResponse<Body = unknown> {
  status: number
  headers: Headers
  body: Body
  text: string
}

const rateHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

/** Why the contract does not document this response for the route; undefined if it does. */
export function undocumented(route: RouteSpec, response: ApiResponse): string | undefined {
  const { status, headers, body } = response
  if (!headers.get('x-request-id')) return 'X-Request-Id is missing'
  if (route.envelope === 'participant')
    for (const name of rateHeaders) if (!/^\d+$/.test(headers.get(name) ?? '')) return `${name} is missing`
  if (status === route.success.status) return undocumentedSuccess(route, response)
  const codes = errorsOf(route).filter((code) => errorCatalogue[code].status === status)
  if (codes.length === 0) return `status ${status} is not documented`
  const schema = envelopeKindOf(route.path) === 'participant' ? ParticipantError(codes) : PlainError(codes)
  if (!Value.Check(schema, body))
    return `the body is not the documented refusal: ${response.text.slice(0, 300)}`
  if ((status === 429 || status === 503) && !headers.get('retry-after')) return 'Retry-After is missing'
  return undefined
}

function undocumentedSuccess(
  { success }: RouteSpec,
  { body, text, headers }: ApiResponse,
): string | undefined {
  const type = success.contentType ?? (success.schema ? 'application/json' : undefined)
  const given = headers.get('content-type') ?? ''
  if (success.furtherContentTypes?.some((further) => given.startsWith(further))) return undefined
  if (type && !given.startsWith(type)) return `the content type is not ${type}`
  if (!success.schema) return undefined
  const values = isEventStream(headers)
    ? eventsIn(text)
    : success.contentType === 'application/x-ndjson'
      ? linesOf(text)
      : [body]
  for (const value of values) {
    // Finding what is wrong takes long, also where nothing is: half of what bots took for a study with many rows.
    if (Value.Check(success.schema, value)) continue
    const [error] = Value.Errors(success.schema, value)
    if (error) return `${error.instancePath} ${error.message}: ${JSON.stringify(value).slice(0, 300)}`
  }
  return undefined
}

export const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** The code of a refusal, in either envelope. */
export function codeOf(response: ApiResponse): ErrorCode | undefined {
  const body = response.body as { code?: ErrorCode; error?: { code?: ErrorCode } } | undefined
  return body?.code ?? body?.error?.code
}

export const isEventStream = (headers: Headers): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true

/** The data of the server-sent events that are whole; comments are left out. */
export const eventsIn = (text: string): unknown[] =>
  text
    .slice(0, text.lastIndexOf('\n\n') + 1)
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)))
