import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Told } from './backend.ts'

export interface RequestOptions {
  method?: string
  headers?: Record<string, string | string[]> | string[]
  body?: string | Buffer
}

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The body as JSON: what a backend tells, or a refusal. */
  told: Told
  refusal: { error: string; code: string; details: object }
}

/** A request on a connection of its own; the path goes out as it stands, however odd. */
export async function ask(address: string, path: string, options: RequestOptions = {}): Promise<Reply> {
  const response = await askForStream(address, path, options)
  const { statusCode, headers } = response
  const body = await text(response)
  const parsed = headers['content-type']?.startsWith('application/json') && body ? JSON.parse(body) : {}
  return { status: statusCode ?? 0, headers, text: body, told: parsed, refusal: parsed }
}

/** The same, for tests that read the answer at their own speed. */
export async function askForStream(
  address: string,
  path: string,
  options: RequestOptions = {},
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(address)
  const { method = 'GET', headers = {} } = options
  const asked = request({ host: hostname, port, path, method, headers, agent: false })
  asked.end(options.body)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response
}
