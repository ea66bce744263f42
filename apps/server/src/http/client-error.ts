import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, envelopeKindOf, errorBody, errorCatalogue, limits } from '@atrium/contract'
import { AppError } from '../kernel/app-error.ts'

interface ParserError extends Error {
  code: string
  /** What the parser was given, where it kept it. */
  rawPacket?: unknown
}

interface Exchange {
  request: Pick<IncomingMessage, 'url' | 'complete'>
  response: Pick<ServerResponse, 'headersSent' | 'writableFinished' | 'once'>
}

const codes: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
}

/** Remembers what a connection asked for, because a request that never arrives whole is never routed. */
export function createClientErrorReply(newRequestId: () => string) {
  const exchanges = new WeakMap<Socket, Exchange>()
  const closing = new WeakSet<Socket>()

  /** What stands before the bad bytes was a sound request: it gets its answer, and then the connection ends. */
  function endAfter({ response }: Exchange, socket: Socket): void {
    if (closing.has(socket)) return
    closing.add(socket)
    response.once('finish', () => socket.end())
  }

  return {
    remember: (socket: Socket, request: IncomingMessage, response: ServerResponse): void =>
      void exchanges.set(socket, { request, response }),
    /** Answers below Fastify: the HTTP parser refused the request, or it took too long. */
    reply(error: ParserError, socket: Socket): void {
      const last = exchanges.get(socket)
      const isWithinBody = last !== undefined && !last.request.complete
      const isAnswered = isWithinBody && last.response.headersSent
      if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) socket.destroy()
      else if (last && !isWithinBody && !last.response.writableFinished) endAfter(last, socket)
      else {
        const url = (isWithinBody && last.request.url) || addressIn(error.rawPacket)
        socket.end(answer(url, codes[error.code] ?? 'VALIDATION_FAILED', newRequestId()))
      }
    },
  }
}

/** The address in the first line of a packet; empty when there is none to read. */
export const addressIn = (packet: unknown): string =>
  (Buffer.isBuffer(packet) && /^[A-Z]+ (\S{1,2000}) HTTP\//.exec(packet.toString('latin1', 0, 4_096))?.[1]) ||
  ''

function answer(url: string, code: ErrorCode, requestId: string): string {
  const details = code === 'VALIDATION_FAILED' ? { issues: [{ path: '', message: 'is not valid HTTP' }] } : {}
  const body = JSON.stringify(errorBody(envelopeKindOf(url), new AppError(code, details)))
  const headers = [
    `HTTP/1.1 ${errorCatalogue[code].status} ${code}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    `X-Request-Id: ${requestId}`,
    ...(envelopeKindOf(url) === 'participant' ? untouchedLimit() : []),
  ]
  return `${headers.join('\r\n')}\r\n\r\n${body}`
}

/** R10 wants the three headers on every answer; nothing was counted here, and nobody is known to count for. */
function untouchedLimit(): string[] {
  const limit = limits.failedAuthenticationsPerWindow
  const reset = Math.ceil(Date.now() / 1000) + limits.rateWindowSeconds
  return [`X-RateLimit-Limit: ${limit}`, `X-RateLimit-Remaining: ${limit}`, `X-RateLimit-Reset: ${reset}`]
}
