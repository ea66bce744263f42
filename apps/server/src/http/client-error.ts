import type { Socket } from 'node:net'
import { type ErrorCode, envelopeKindOf, errorCatalogue, limits } from '@atrium/contract'
import { AppError } from '../kernel/app-error.ts'
import { errorBody } from './error-reply.ts'

interface ParserError extends Error {
  code: string
  /** What the parser was given, where it kept it. */
  rawPacket?: unknown
}

const codes: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
}

/** Remembers what a connection asked for, because a request that never arrives whole is never routed. */
export function createClientErrorReply() {
  const addresses = new WeakMap<Socket, string>()
  return {
    remember: (socket: Socket, url: string): void => void addresses.set(socket, url),
    /** Answers below Fastify: the HTTP parser refused the request, or it took too long. */
    reply(error: ParserError, socket: Socket): void {
      if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
        socket.destroy()
        return
      }
      const url = addresses.get(socket) ?? addressIn(error.rawPacket)
      socket.end(answer(url, codes[error.code] ?? 'VALIDATION_FAILED'))
    },
  }
}

const addressIn = (packet: unknown): string =>
  (Buffer.isBuffer(packet) && /^[A-Z]+ (\S{1,2000}) HTTP\//.exec(packet.toString('latin1', 0, 4_096))?.[1]) ||
  ''

function answer(url: string, code: ErrorCode): string {
  const details = code === 'VALIDATION_FAILED' ? { issues: [{ path: '', message: 'is not valid HTTP' }] } : {}
  const body = JSON.stringify(errorBody(envelopeKindOf(url), new AppError(code, details)))
  const headers = [
    `HTTP/1.1 ${errorCatalogue[code].status} ${code}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
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
