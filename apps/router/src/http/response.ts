import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  type ErrorCode,
  envelopeKindOf,
  errorBody,
  errorCatalogue,
  limits,
  requestIdHeader,
} from '@atrium/contract'
import { requestIdOf } from './headers.ts'

export interface Refusal {
  code: ErrorCode
  /** Replaces the catalogue's sentence. */
  message?: string
  details?: object
}

/** A take-over takes a second or two. */
const retryAfterSeconds = '1'

/** How long to wait for the rest of a transmission once one side has ended: an unwanted upload, a last frame. */
export const lingerMs = 5_000

/** Sends a refusal in the platform's envelope (R8) and keeps the connection. */
export function refuse(response: ServerResponse, path: string, refusal: Refusal): void {
  const { status, headers, body } = refusalResponse(response.req, path, refusal)
  // A response that has begun cannot become a refusal; cutting it off tells the client that it is incomplete.
  if (response.headersSent) response.destroy()
  else {
    response.writeHead(status, headers)
    endWhenRequestEnds(response, body)
  }
}

/** Refuses and closes the connection, because what follows on it could be read in two ways. */
export function refuseAndClose(response: ServerResponse, path: string, refusal: Refusal): void {
  response.shouldKeepAlive = false
  refuse(response, path, refusal)
}

/** Refuses and closes without waiting for the end of the request, of which nothing more will be read. */
export function refuseImmediately(response: ServerResponse, path: string, refusal: Refusal): void {
  const { status, headers, body } = refusalResponse(response.req, path, refusal)
  response.shouldKeepAlive = false
  response.writeHead(status, headers)
  response.end(body, 'latin1')
}

/**
 * A response that closes its connection. Node creates no response object for an upgrade or for a request that it could
 * not parse.
 */
export function closingResponse(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => socket.destroySoon())
  return response
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const json = jsonResponse(response.req, status, body, {})
  response.writeHead(status, json.headers)
  endWhenRequestEnds(response, json.body)
}

export const badRequest = (message: string): Refusal => ({
  code: 'VALIDATION_FAILED',
  details: { issues: [{ path: '', message }] },
})

/**
 * Ends a response once its request has ended. A client that is still sending when the connection closes sees a reset
 * instead of the response, so the rest of the request is read and dropped, but only for a while. The last bytes are
 * latin1 text: Node writes text together with the head, but would write a buffer separately.
 */
export function endWhenRequestEnds(response: ServerResponse, last?: string): void {
  const { req: request } = response
  if (request.complete) {
    response.end(last, 'latin1')
    return
  }
  if (last) response.write(last, 'latin1')
  else response.flushHeaders()
  const cut = setTimeout(() => response.end(() => request.socket.destroy()), lingerMs)
  request.once('end', () => response.end())
  request.once('close', () => clearTimeout(cut))
  request.resume()
}

function refusalResponse(request: IncomingMessage, path: string, { code, message, details = {} }: Refusal) {
  const { status, sentence } = errorCatalogue[code]
  const kind = envelopeKindOf(path)
  return jsonResponse(request, status, errorBody(kind, { code, message: message ?? sentence, details }), {
    ...(status === 503 ? { 'retry-after': retryAfterSeconds } : {}),
    ...(kind === 'participant' ? unusedRateLimit() : {}),
  })
}

/**
 * R10 requires these headers on every response of the participant API. The router counts no requests, so it reports
 * what the server reports for an address without failed authentications: the full limit.
 */
function unusedRateLimit(): Record<string, string> {
  const limit = String(limits.failedAuthenticationsPerWindow)
  const reset = Math.ceil(Date.now() / 1000) + limits.rateWindowSeconds
  return { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': limit, 'x-ratelimit-reset': String(reset) }
}

/** The body is latin1 text, in which each character is one byte. */
function jsonResponse(request: IncomingMessage, status: number, body: object, more: Record<string, string>) {
  const bytes = Buffer.from(JSON.stringify(body))
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(bytes.length),
    'cache-control': 'no-store',
    [requestIdHeader]: requestIdOf(request),
    ...more,
  }
  return { status, headers, body: bytes.toString('latin1') }
}
