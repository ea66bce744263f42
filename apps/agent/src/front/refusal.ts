import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ModelServerError } from '@atrium/agent-protocol'
import { EngineFailed, RequestRefused } from '../engines/engine.ts'

/** Every refusal of the front: code → status and OpenAI's type, once. */
const refusals = {
  invalid_api_key: { status: 401, type: 'invalid_request_error' },
  invalid_request: { status: 400, type: 'invalid_request_error' },
  context_length_exceeded: { status: 400, type: 'invalid_request_error' },
  unknown_url: { status: 404, type: 'invalid_request_error' },
  model_not_found: { status: 404, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  request_timeout: { status: 408, type: 'invalid_request_error' },
  request_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_encoding: { status: 415, type: 'invalid_request_error' },
  headers_too_large: { status: 431, type: 'invalid_request_error' },
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error' },
  internal_error: { status: 500, type: 'server_error' },
  engine_failed: { status: 502, type: 'server_error' },
  invalid_tool_call: { status: 502, type: 'server_error' },
  engine_unavailable: { status: 503, type: 'server_error' },
  shutting_down: { status: 503, type: 'server_error' },
  engine_timeout: { status: 504, type: 'server_error' },
} as const
export type RefusalCode = keyof typeof refusals

interface RefusalDetails {
  /** Which field of the request is wrong. */
  param?: string
  retryAfterSeconds?: number | undefined
  /** The methods that are allowed. */
  allow?: string
}

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: RefusalDetails

  constructor(code: RefusalCode, message: string, details: RefusalDetails = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }

  get status(): number {
    return refusals[this.code].status
  }

  /** As OpenAI writes it. */
  get body(): ModelServerError {
    const { type } = refusals[this.code]
    return { error: { message: this.message, type, param: this.details.param ?? null, code: this.code } }
  }
}

/** Errors of the engine become refusals; anything else is a fault of ours, of which strangers learn nothing. */
export function refusalFor(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof RequestRefused) return new Refusal(error.code, error.message)
  if (error instanceof EngineFailed) {
    const codes = { 429: 'rate_limit_exceeded', 502: 'engine_failed', 503: 'engine_unavailable' } as const
    const { retryAfterSeconds = error.status === 429 ? 1 : undefined } = error
    return new Refusal(codes[error.status], error.message, { retryAfterSeconds })
  }
  return new Refusal('internal_error', 'The server failed. The operator’s log says why.')
}

export function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  const { retryAfterSeconds, allow } = refusal.details
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds))
  if (allow !== undefined) response.setHeader('allow', allow)
  if (refusal.code === 'invalid_api_key') response.setHeader('www-authenticate', 'Bearer')
  sendJson(response, refusal.status, refusal.body)
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** Answers what Node's parser refuses, in the same form as everything else. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = refusalOf(error.code)
  const body = JSON.stringify(refusal.body)
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

function refusalOf(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal('headers_too_large', 'The headers are too large.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Refusal('request_timeout', 'The request took too long to arrive.')
  return new Refusal('invalid_request', 'This is not an HTTP request.')
}
