import { modelTimeoutMs } from '@atrium/contract'
import type { Clock } from '../clock.ts'
import { explainUnreachable } from './unreachable.ts'

/** What the checks need to send requests. */
export interface Endpoint {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface Question {
  path: string
  /** Without one, no `Authorization` is sent. */
  key?: string
  /** With a body the request is a POST. */
  body?: unknown
  /** Called with each piece of a streamed body as it arrives. Without it, a stream is refused. */
  onText?: (text: string) => void
}

export interface Answered {
  kind: 'answered'
  status: number
  /** Where a redirect leads. It is never followed: it would carry the key to a host that nobody named. */
  location: string | undefined
  format: 'json' | 'html' | 'stream' | 'other'
  text: string
  latencyMs: number
}

export type Answer =
  | Answered
  | { kind: 'unreachable'; because: string }
  | { kind: 'timed-out' }
  | { kind: 'endless'; status: number }

/** The longest lists of models have about a megabyte. */
const maxBodyBytes = 8 * 1024 * 1024

/** Sends one request, bounded in time and size. Rejects only when `endpoint.signal` aborts. */
export async function ask(endpoint: Endpoint, question: Question): Promise<Answer> {
  const { clock, signal } = endpoint
  signal.throwIfAborted()
  const limit = new AbortController()
  const cancelLimit = clock.after(modelTimeoutMs.max, () => limit.abort())
  try {
    const startedAt = clock.now()
    const response = await endpoint.fetch(
      endpoint.baseUrl + question.path,
      requestOf(question, AbortSignal.any([signal, limit.signal])),
    )
    return await readAnswer(response, question, () => clock.now() - startedAt)
  } catch (error) {
    signal.throwIfAborted()
    if (limit.signal.aborted || isOwnTimeLimitOfFetch(error)) return { kind: 'timed-out' }
    return { kind: 'unreachable', because: explainUnreachable(error, endpoint.baseUrl) }
  } finally {
    cancelLimit()
  }
}

function requestOf({ key, body }: Question, signal: AbortSignal): RequestInit {
  return {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      // A server that closes an idle connection just as it is used again must not look broken.
      connection: 'close',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal,
  }
}

async function readAnswer(
  response: Response,
  { onText }: Question,
  elapsedMs: () => number,
): Promise<Answer> {
  const { status } = response
  const type = response.headers.get('content-type')?.toLowerCase() ?? ''
  const answered = {
    kind: 'answered',
    status,
    location: response.headers.get('location') ?? undefined,
  } as const
  if (type.startsWith('text/event-stream') && onText === undefined) {
    await response.body?.cancel() // It may never end.
    return { ...answered, format: 'stream', text: '', latencyMs: elapsedMs() }
  }
  const text = await readBounded(response, onText)
  if (text === undefined) return { kind: 'endless', status }
  return { ...answered, format: formatOf(type, text), text, latencyMs: elapsedMs() }
}

/** Undefined for a body that is larger than any sensible one. */
async function readBounded(
  response: Response,
  onText: ((text: string) => void) | undefined,
): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBodyBytes) return undefined // Leaving the loop cancels the body.
    const piece = decoder.decode(chunk, { stream: true })
    text += piece
    onText?.(piece)
  }
  return text + decoder.decode()
}

function formatOf(type: string, text: string): Answered['format'] {
  const start = text.slice(0, 100).trimStart().toLowerCase()
  if (type.startsWith('text/event-stream') || /^(data:|event:|:)/.test(start)) return 'stream'
  if (type.startsWith('text/html') || /^<(!doctype|html)/.test(start)) return 'html'
  return start.startsWith('{') || start.startsWith('[') ? 'json' : 'other'
}

/** Node's `fetch` gives up on its own after 300 s without headers or without a further byte. */
function isOwnTimeLimitOfFetch(error: unknown): boolean {
  const code =
    error instanceof Error && error.cause instanceof Error && 'code' in error.cause && error.cause.code
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT'
}
