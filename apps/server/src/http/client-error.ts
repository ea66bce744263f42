import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, envelopeKindOf, errorBody, errorCatalogue, limits } from '@atrium/contract'
import { AppError } from '../kernel/app-error.ts'
import type { Clock } from '../kernel/clock.ts'
import { mayTakeLong } from './long-bodies.ts'

interface ParserError extends Error {
  code: string
  /** The bytes that the parser was given, if it kept them. */
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

/** We read no longer address than this (see `addressIn`). */
const keptBytes = 4_096

const blankLine = '\r\n\r\n'

/** Remembers what a connection requested, because a request that never arrives completely is never routed. */
export function createClientErrorReply(newRequestId: () => string, clock: Clock) {
  const exchanges = new WeakMap<Socket, Exchange>()
  /** The start of a request whose headers have not all arrived. */
  const heads = new WeakMap<Socket, Buffer>()
  const closing = new WeakSet<Socket>()

  /** The request before the bad bytes was valid: it gets its answer, then the connection ends. */
  function endAfter({ response }: Exchange, socket: Socket): void {
    if (closing.has(socket)) return
    closing.add(socket)
    response.once('finish', () => socket.end())
  }

  function keepHead(socket: Socket, chunk: Buffer): void {
    if (exchanges.get(socket)?.request.complete === false) return // It belongs to a body.
    const head = heads.get(socket)
    if (head === undefined) heads.set(socket, chunk)
    else if (head.length < keptBytes) heads.set(socket, Buffer.concat([head, chunk]))
  }

  /** The next request may begin in the chunk that completed this one; a busy machine reads them together. */
  function keepNextHead({ socket, headers }: IncomingMessage): void {
    const head = heads.get(socket)
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    const end = hasBody ? -1 : (head?.indexOf(blankLine) ?? -1)
    const next = end === -1 ? undefined : head?.subarray(end + blankLine.length)
    if (next?.length) heads.set(socket, next)
    else heads.delete(socket)
  }

  return {
    /**
     * Listens in. The parser does not tell what it has of a request whose headers are too slow, and for one that comes
     * in pieces only shows the last. This second reader costs about 3 µs a request.
     */
    watch(server: Server): void {
      const taps = new WeakMap<Socket, (chunk: Buffer) => void>()
      server.on('connection', (socket: Socket) => {
        const tap = (chunk: Buffer) => keepHead(socket, chunk)
        taps.set(socket, tap)
        socket.prependListener('data', tap) // Before the parser, which may find the request complete in this chunk.
      })
      server.on('request', (request, response) => {
        exchanges.set(request.socket, { request, response })
        keepNextHead(request)
      })
      // From now on there are websocket frames.
      server.on('upgrade', ({ socket }) => {
        heads.delete(socket)
        socket.off('data', taps.get(socket) ?? (() => undefined))
      })
    },
    /** Answers for requests that never reach Fastify: the HTTP parser refused them, or they took too long. */
    reply(error: ParserError, socket: Socket): void {
      const last = exchanges.get(socket)
      const isWithinBody = last !== undefined && !last.request.complete
      const isAnswered = isWithinBody && last.response.headersSent
      // Node reports a slow request once and leaves it to us whether it ends.
      if (isWithinBody && error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayTakeLong(last.request.url)) return
      if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) socket.destroy()
      else if (last && !isWithinBody && !last.response.writableFinished) endAfter(last, socket)
      else {
        const url =
          (isWithinBody && last.request.url) || addressIn(heads.get(socket)) || addressIn(error.rawPacket)
        socket.end(answer(url, codes[error.code] ?? 'VALIDATION_FAILED', newRequestId(), clock.now()))
      }
    },
  }
}

/** The address in the first line of a packet; empty if there is none. */
export const addressIn = (packet: unknown): string =>
  (Buffer.isBuffer(packet) &&
    /^[A-Z]+ (\S{1,2000}) HTTP\//.exec(packet.toString('latin1', 0, keptBytes))?.[1]) ||
  ''

function answer(url: string, code: ErrorCode, requestId: string, now: number): string {
  const details = code === 'VALIDATION_FAILED' ? { issues: [{ path: '', message: 'is not valid HTTP' }] } : {}
  const body = JSON.stringify(errorBody(envelopeKindOf(url), new AppError(code, details)))
  const headers = [
    `HTTP/1.1 ${errorCatalogue[code].status} ${code}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    `X-Request-Id: ${requestId}`,
    ...(envelopeKindOf(url) === 'participant' ? untouchedLimit(now) : []),
  ]
  return `${headers.join('\r\n')}\r\n\r\n${body}`
}

/** R10 wants these three headers on every answer. Nothing was counted here, since the caller is unknown. */
function untouchedLimit(now: number): string[] {
  const limit = limits.failedAuthenticationsPerWindow
  const reset = Math.ceil(now / 1000) + limits.rateWindowSeconds
  return [`X-RateLimit-Limit: ${limit}`, `X-RateLimit-Remaining: ${limit}`, `X-RateLimit-Reset: ${reset}`]
}
