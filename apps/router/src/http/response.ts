import { randomUUID } from 'node:crypto'
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, envelopeKindOf, errorBody, errorCatalogue, limits } from '@atrium/contract'
import { endAfterRequest } from './linger.ts'

export interface Refusal {
  code: ErrorCode
  /** Instead of the catalogue's sentence. */
  message?: string
  details?: object
}

/** A take-over takes a second or two. */
const retryAfterSeconds = '1'

/** The router's own refusals have the shape of the platform's (R8). */
export function refuse(response: ServerResponse, path: string, refusal: Refusal): void {
  const { status, headers, body } = refusalAnswer(path, refusal)
  // Nothing can be said after an answer has begun; the client sees from its end that it is not whole.
  if (response.headersSent) response.destroy()
  else {
    response.writeHead(status, headers)
    endAfterRequest(response, body)
  }
}

/** The same, and nothing more on this connection: what follows could be read in two ways. */
export function refuseAndClose(response: ServerResponse, path: string, refusal: Refusal): void {
  response.shouldKeepAlive = false
  refuse(response, path, refusal)
}

/** The same, when there is nothing to wait for: no more of the request will be read. */
export function refuseAtOnce(response: ServerResponse, path: string, refusal: Refusal): void {
  const { status, headers, body } = refusalAnswer(path, refusal)
  response.shouldKeepAlive = false
  response.writeHead(status, headers)
  response.end(body, 'latin1')
}

/**
 * Node gives no response object for an upgrade, nor for a request that it could not parse. This one ends with its
 * connection.
 */
export function lastResponseOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => socket.destroySoon())
  return response
}

function refusalAnswer(path: string, { code, message, details = {} }: Refusal) {
  const { status, sentence } = errorCatalogue[code]
  const kind = envelopeKindOf(path)
  return jsonAnswer(status, errorBody(kind, { code, message: message ?? sentence, details }), {
    ...(status === 503 ? { 'retry-after': retryAfterSeconds } : {}),
    ...(kind === 'participant' ? untouchedLimit() : {}),
  })
}

/**
 * R10 wants these headers on every answer of the participant API. The router counts nothing and knows nobody's limit,
 * so it says what the server says of an address that has not failed to authenticate yet: that limit, all of it.
 */
function untouchedLimit(): Record<string, string> {
  const limit = String(limits.failedAuthenticationsPerWindow)
  const reset = Math.ceil(Date.now() / 1000) + limits.rateWindowSeconds
  return { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': limit, 'x-ratelimit-reset': String(reset) }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const answer = jsonAnswer(status, body, {})
  response.writeHead(status, answer.headers)
  endAfterRequest(response, answer.body)
}

/** The body as latin1 text, of which each character is a byte. */
function jsonAnswer(status: number, body: object, more: Record<string, string>) {
  const bytes = Buffer.from(JSON.stringify(body))
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(bytes.length),
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
    ...more,
  }
  return { status, headers, body: bytes.toString('latin1') }
}

export const badRequest = (message: string): Refusal => ({
  code: 'VALIDATION_FAILED',
  details: { issues: [{ path: '', message }] },
})
