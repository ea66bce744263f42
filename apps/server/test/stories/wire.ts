import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ApiResponse } from '@atrium/testkit'

/** Sends a request exactly as given. `fetch` joins repeated headers; this sends two lines. */
export async function sendOnWire(
  address: string,
  options: { method?: string; headers?: Record<string, string | string[]>; body?: string } = {},
): Promise<ApiResponse> {
  const { method = 'GET', headers = {}, body } = options
  const outgoing = request(address, { method, headers, agent: false })
  outgoing.end(body)
  const [reply]: IncomingMessage[] = await once(outgoing, 'response')
  if (reply === undefined) throw new Error('there was no reply')
  const read = await text(reply)
  const pairs = Object.entries(reply.headers).map(([name, value]): [string, string] => [name, String(value)])
  return {
    status: reply.statusCode ?? 0,
    headers: new Headers(pairs),
    text: read,
    body: read.startsWith('{') ? JSON.parse(read) : undefined,
  }
}
