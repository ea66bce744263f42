import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ChatRequest } from '@atrium/agent-protocol'

export interface StubExchange {
  request: ChatRequest
  headers: IncomingMessage['headers']
  response: ServerResponse
}

export interface StubUpstream {
  readonly baseUrl: string
  /** What it was asked, in order. */
  readonly exchanges: StubExchange[]
  /** How many clients left before their answer. */
  readonly abandoned: number
  /** What it does with the requests to come. */
  behave(behaviour: (exchange: StubExchange) => void | Promise<void>): void
  stop(): Promise<void>
}

export const stubKey = 'upstream-secret'
export const stubModel = 'stub-1'

/** A model server as a real HTTP server, which does what a test tells it to. */
export async function startStubUpstream(
  { models }: { models: string[] | undefined } = { models: [stubModel, 'stub-2'] },
): Promise<StubUpstream> {
  const exchanges: StubExchange[] = []
  let abandoned = 0
  let behaviour: (exchange: StubExchange) => void | Promise<void> = ({ request, response }) =>
    json(response, 200, completion(request))
  const server = createServer(async (incoming, response) => {
    if (incoming.headers.authorization !== `Bearer ${stubKey}`)
      return json(response, 401, { error: { message: `Wrong key`, type: 'x', code: 'invalid_api_key' } })
    if (incoming.url === '/v1/models' && models !== undefined)
      return json(response, 200, { data: models.map((id) => ({ id })) })
    if (incoming.url !== '/v1/chat/completions') return json(response, 404, { detail: 'Not Found' })
    response.once('close', () => {
      if (!response.writableFinished) abandoned += 1
    })
    const exchange = { request: JSON.parse(await text(incoming)), headers: incoming.headers, response }
    exchanges.push(exchange)
    await behaviour(exchange)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    exchanges,
    get abandoned() {
      return abandoned
    },
    behave(next) {
      behaviour = next
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

/** A call with these arguments if a tool must be called, else a text. */
export function completion(request: ChatRequest, args: unknown = { choice: 'left' }): unknown {
  const name = request.tools?.[0]?.function.name
  const message =
    request.tool_choice === 'required'
      ? {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } },
          ],
        }
      : { role: 'assistant', content: 'Hello' }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: stubModel,
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
  }
}

/** The same in pieces of a few characters. */
export async function streamCompletion(
  { request, response }: StubExchange,
  args: unknown = { choice: 'left' },
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const name = request.tools?.[0]?.function.name
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: stubModel, choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    )
  chunk({ role: 'assistant', content: null })
  if (request.tool_choice === 'required') {
    chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: '' } }] })
    for (const piece of JSON.stringify(args).match(/.{1,4}/g) ?? [])
      chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })
    chunk({}, 'tool_calls')
  } else {
    for (const piece of ['Hel', 'lo']) chunk({ content: piece })
    chunk({}, 'stop')
  }
  response.end('data: [DONE]\n\n')
}
