import { IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@atrium/contract'
import { originForm } from './framing.ts'
import { badRequest, closingResponse, type Refusal, refuseImmediately } from './response.ts'

interface ParserError extends Error {
  code?: string
  /** The bytes given to the parser, and how many of them were valid. */
  rawPacket?: unknown
  bytesParsed?: number
}

const codes: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
}

/** Answers requests that Node's parser rejects, or that never arrive completely, in the platform's envelope. */
export function respondToClientErrors(server: Server): void {
  const lastResponses = new WeakMap<Socket, ServerResponse>()
  const closing = new WeakSet<Socket>()
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, ({ socket }: IncomingMessage, response: ServerResponse) =>
      lastResponses.set(socket, response),
    )

  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (closing.has(socket)) return
    closing.add(socket)
    const last = lastResponses.get(socket)
    const isWithinBody = last !== undefined && !last.req.complete
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    // A second response cannot start inside the first; what has been written of it may still arrive.
    else if (isWithinBody && last.headersSent) socket.destroySoon()
    // A backend may already have part of the body; its request ends with this connection.
    else if (isWithinBody) refuseImmediately(last, originForm(last.req.url ?? '') ?? '', refusalFor(error))
    // The request before the bad bytes was valid, so it gets its response first.
    else if (last && !last.writableFinished)
      last.once('finish', () => (last.shouldKeepAlive ? respond(error, socket) : socket.destroySoon()))
    else respond(error, socket)
  })
}

const respond = (error: ParserError, socket: Socket): void =>
  refuseImmediately(closingResponse(new IncomingMessage(socket), socket), pathIn(error), refusalFor(error))

function refusalFor({ code = '' }: ParserError): Refusal {
  const known = codes[code]
  return known === undefined ? badRequest('is not valid HTTP') : { code: known }
}

/** The path in the last request line that was read, or an empty string. */
function pathIn({ rawPacket, bytesParsed = 0 }: ParserError): string {
  if (!Buffer.isBuffer(rawPacket)) return ''
  const text = rawPacket.toString('latin1')
  // Includes the line that the parser was reading when it found the error.
  const end = text.indexOf('\n', bytesParsed)
  const lines = text.slice(0, end < 0 ? undefined : end).matchAll(requestLine)
  const target = [...lines].at(-1)?.[1]
  return (target && originForm(target)) || ''
}

const requestLine = /(?:^|\n)[^\s:]+[ \t]+((?:\/|https?:\/\/)[!-~]{0,2000})/gi
