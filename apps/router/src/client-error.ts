import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, errorCatalogue } from '@atrium/contract'
import { badRequest, bodyOf, type Refusal } from './answer.ts'

const codes: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

/** Requests that Node's parser refuses, or that never arrive whole, are answered in the same shape as the others. */
export function replyToClientErrors(server: Server): void {
  const last = new WeakMap<Socket, ServerResponse>()
  server.on('request', ({ socket }, response) => last.set(socket, response))
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    const before = last.get(socket)
    // In the middle of an answer there is no place for another one.
    const isAnswering = before !== undefined && !before.writableFinished
    if (!socket.writable || isAnswering || error.code === 'ECONNRESET') socket.destroy()
    else socket.end(answerTo(error.code ?? ''))
  })
}

function answerTo(errorCode: string): string {
  const code = codes[errorCode]
  const refusal: Refusal = code === undefined ? badRequest('is not valid HTTP') : { code }
  const { status } = errorCatalogue[refusal.code]
  const body = JSON.stringify(bodyOf('', refusal))
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
