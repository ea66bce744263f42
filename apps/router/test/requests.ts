import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { EchoedRequest } from './backend.ts'

export interface RequestOptions {
  method?: string
  headers?: Record<string, string | string[]> | string[]
  body?: string | Buffer
}

export interface TestResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The body parsed as JSON: what a backend echoed, or a refusal. */
  echo: EchoedRequest
  refusal: { error: string; code: string; details: object }
}

/** Sends a request on its own connection. The path is sent as it is, however odd. */
export async function sendRequest(
  address: string,
  path: string,
  options: RequestOptions = {},
): Promise<TestResponse> {
  const response = await openResponse(address, path, options)
  const { statusCode, headers } = response
  const body = await text(response)
  const parsed = headers['content-type']?.startsWith('application/json') && body ? JSON.parse(body) : {}
  return { status: statusCode ?? 0, headers, text: body, echo: parsed, refusal: parsed }
}

/** Like `sendRequest`, for tests that read the response at their own speed. */
export async function openResponse(
  address: string,
  path: string,
  options: RequestOptions = {},
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(address)
  const { method = 'GET', headers = {} } = options
  const sent = request({ host: hostname, port, path, method, headers, agent: false })
  sent.end(options.body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}
