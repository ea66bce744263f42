import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { type ErrorCode, envelopeKindOf, errorBody, errorCatalogue } from '@atrium/contract'
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
  const { status } = errorCatalogue[refusal.code]
  const retryAfter = status === 503 ? { 'retry-after': retryAfterSeconds } : {}
  sendJson(response, status, bodyOf(path, refusal), retryAfter)
}

export const bodyOf = (path: string, { code, message, details = {} }: Refusal): object =>
  errorBody(envelopeKindOf(path), { code, message: message ?? errorCatalogue[code].sentence, details })

export function sendJson(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  // Nothing can be said after an answer has begun; the client sees from its end that it is not whole.
  if (response.headersSent) {
    response.destroy()
    return
  }
  const text = Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': text.length,
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
    ...headers,
  })
  endAfterRequest(response, text.toString('latin1'))
}

export const badRequest = (message: string): Refusal => ({
  code: 'VALIDATION_FAILED',
  details: { issues: [{ path: '', message }] },
})
