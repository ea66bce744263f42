import { IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@atrium/contract'
import { originForm } from '../routing/destination.ts'
import { badRequest, lastResponseOn, type Refusal, refuseAtOnce } from './response.ts'

interface ParserError extends Error {
  code?: string
  /** What the parser was given, and how much of it was sound. */
  rawPacket?: unknown
  bytesParsed?: number
}

const codes: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
}

/** Requests that Node's parser refuses, or that never arrive whole, are answered in the same shape as the others. */
export function replyToClientErrors(server: Server): void {
  const last = new WeakMap<Socket, ServerResponse>()
  const closing = new WeakSet<Socket>()
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, ({ socket }: IncomingMessage, response: ServerResponse) =>
      last.set(socket, response),
    )

  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (closing.has(socket)) return
    closing.add(socket)
    const former = last.get(socket)
    const isWithinBody = former !== undefined && !former.req.complete
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    // In the middle of an answer there is no place for another one; what has been said of it may still arrive.
    else if (isWithinBody && former.headersSent) socket.destroySoon()
    // What has come of the body may be with a backend already; its request there ends with this connection.
    else if (isWithinBody) refuseAtOnce(former, originForm(former.req.url ?? '') ?? '', refusalFor(error))
    // What stands before the bad bytes was a sound request: it gets its answer first.
    else if (former && !former.writableFinished)
      former.once('finish', () => (former.shouldKeepAlive ? reply(error, socket) : socket.destroySoon()))
    else reply(error, socket)
  })
}

const reply = (error: ParserError, socket: Socket): void =>
  refuseAtOnce(lastResponseOn(new IncomingMessage(socket), socket), addressIn(error), refusalFor(error))

function refusalFor({ code = '' }: ParserError): Refusal {
  const known = codes[code]
  return known === undefined ? badRequest('is not valid HTTP') : { code: known }
}

/** The address in the last request line of what was read; empty when there is none to read. */
function addressIn({ rawPacket, bytesParsed = 0 }: ParserError): string {
  if (!Buffer.isBuffer(rawPacket)) return ''
  const text = rawPacket.toString('latin1')
  // The line that was being read when the error was found belongs to it.
  const end = text.indexOf('\n', bytesParsed)
  const lines = text.slice(0, end < 0 ? undefined : end).matchAll(requestLine)
  const address = [...lines].at(-1)?.[1]
  return (address && originForm(address)) || ''
}

const requestLine = /(?:^|\n)[^\s:]+[ \t]+((?:\/|https?:\/\/)[!-~]{0,2000})/gi
