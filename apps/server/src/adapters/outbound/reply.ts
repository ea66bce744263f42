import type { IncomingMessage } from 'node:http'
import { OutboundError } from '../../kernel/outbound-error.ts'

export interface ReplyRules {
  maxBytes: number
  /** Whether the caller wants to see a redirect. It is followed in no case. */
  showRedirect: boolean
  signal: AbortSignal
  /** Called once nothing more comes. */
  onEnd(): void
}

/** What callers read; everything else that a server says is left out. */
const readHeaders = ['content-type', 'location', 'retry-after']

/** Beside the body: the head, and what surrounds each chunk. */
const framingBytes = 65_536

/** The reply as `fetch` would give it. Its body is read as the caller reads, and fails when it breaks a rule. */
export function replyOf(message: IncomingMessage, rules: ReplyRules): Response {
  const { statusCode: status = 0 } = message
  const problem = problemOf(message, status, rules)
  if (problem) {
    message.destroy()
    throw problem
  }
  const headers = new Headers()
  for (const name of readHeaders) {
    const value = message.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  if (status === 204 || status === 205 || status === 304) {
    message.resume()
    rules.onEnd()
    return new Response(null, { status, headers })
  }
  return new Response(boundedBody(message, rules), { status, headers })
}

function problemOf(
  { headers }: IncomingMessage,
  status: number,
  { maxBytes, showRedirect }: ReplyRules,
): OutboundError | undefined {
  if (status < 200 || status > 599) return new OutboundError('REPLY_MALFORMED')
  if (status >= 300 && status < 400 && !showRedirect) return new OutboundError('REDIRECT_REFUSED')
  const encoding = headers['content-encoding'] ?? ''
  if (!/^(identity)?$/i.test(encoding.trim())) return new OutboundError('REPLY_ENCODED')
  if (Number(headers['content-length'] ?? 0) > maxBytes) return new OutboundError('REPLY_TOO_LARGE')
  return undefined
}

function boundedBody(message: IncomingMessage, rules: ReplyRules): ReadableStream<Uint8Array> {
  const { maxBytes, signal, onEnd } = rules
  const { socket } = message
  const readBefore = socket.bytesRead
  const chunks: AsyncIterator<Buffer> = message[Symbol.asyncIterator]()
  let bytes = 0

  async function next(): Promise<Uint8Array | undefined> {
    const { done, value } = await chunks.next()
    if (done) return undefined
    bytes += value.byteLength
    // Chunks of one byte with long extensions are many times as large on the line.
    const lineBytes = socket.bytesRead - readBefore
    if (bytes > maxBytes || lineBytes > 2 * maxBytes + framingBytes)
      throw new OutboundError('REPLY_TOO_LARGE')
    return value
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await next()
          if (chunk) return controller.enqueue(chunk)
          controller.close()
        } catch (error) {
          message.destroy()
          controller.error(signal.aborted ? signal.reason : error)
        }
        onEnd()
      },
      cancel() {
        message.destroy()
        onEnd()
      },
    },
    { highWaterMark: 0 },
  )
}
