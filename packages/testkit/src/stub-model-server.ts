import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ChatRequest, modelServerPaths } from '@atrium/agent-protocol'

export interface StubReply {
  status?: number
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body?: string | object
  /** Sends this after the body, again and again, until the client has had enough. */
  endlessly?: string
}

export interface StubModelServerOptions {
  /** Which keys are accepted; default: only `apiKey`. Undefined is a request without one. */
  accepts?: (key: string | undefined) => boolean
  /** Default: lists one model. */
  onModels?: () => StubReply
  /** `answer` is what a faultless server would send. */
  onCompletion?: (request: ChatRequest, answer: StubReply, nth: number) => StubReply | Promise<StubReply>
  /** Prompts with more words are refused. */
  contextWords?: number
}

export interface StubModelServer {
  readonly baseUrl: string
  readonly port: number
  readonly apiKey: string
  /** What was asked for, with the key that came with it. */
  readonly requests: { method: string; path: string; key: string | undefined }[]
  stop(): Promise<void>
}

/** Speaks like a model server that keeps the contract, and breaks it wherever a test wants that. No model is behind it. */
export async function startStubModelServer(options: StubModelServerOptions = {}): Promise<StubModelServer> {
  const apiKey = 'atr_stub'
  const { accepts = (key) => key === apiKey, onModels = () => ({ body: listOfModels }) } = options
  const { onCompletion = (_request, answer) => answer, contextWords = 32_768 } = options
  const requests: StubModelServer['requests'] = []
  let completions = 0

  async function reply(message: IncomingMessage): Promise<StubReply> {
    const key = message.headers.authorization?.replace(/^Bearer /, '')
    const path = message.url ?? ''
    requests.push({ method: message.method ?? '', path, key })
    const body = await text(message)
    if (!accepts(key)) return refusal(401, 'invalid_api_key', 'Incorrect API key provided.')
    if (path === `/v1${modelServerPaths.models}`) return onModels()
    if (path !== `/v1${modelServerPaths.chatCompletions}`) return refusal(404, 'not_found', 'No such route.')
    const request = JSON.parse(body) as ChatRequest
    return onCompletion(request, answerLikeAModel(request, contextWords), ++completions)
  }

  const server = createServer(async (message, response) => send(response, await reply(message)))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () => stopServer(server)
  return { baseUrl: `http://127.0.0.1:${port}/v1`, port, apiKey, requests, stop }
}

const listOfModels = { object: 'list', data: [{ id: 'stub-model', object: 'model' }] }

const refusal = (status: number, code: string, message: string): StubReply => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code } },
})

function answerLikeAModel(request: ChatRequest, contextWords: number): StubReply {
  const prompt = request.messages.map(({ content }) => (typeof content === 'string' ? content : '')).join(' ')
  const promptTokens = prompt.split(/\s+/).length
  if (promptTokens > contextWords)
    return refusal(400, 'context_length_exceeded', `The prompt has more than ${contextWords} tokens.`)
  const { tool_choice: choice } = request
  const name = typeof choice === 'object' ? choice.function.name : request.tools?.[0]?.function.name
  const isCall = choice !== 'none' && name !== undefined
  const head = { id: 'chatcmpl-1', created: 1, model: 'stub-model' }
  const call = { id: 'call_1', type: 'function', function: { name, arguments: argumentsFor(prompt) } }
  if (request.stream === true)
    return { headers: { 'content-type': 'text/event-stream' }, body: streamOf(head, call) }
  const message = isCall
    ? { role: 'assistant', content: null, tool_calls: [call] }
    : { role: 'assistant', content: 'Fine.' }
  return {
    body: {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: isCall ? 'tool_calls' : 'stop' }],
      usage: { prompt_tokens: promptTokens, completion_tokens: 12, total_tokens: promptTokens + 12 },
    },
  }
}

/** Repeats what it is asked to repeat, as the checks of non-ASCII text and of long prompts do. */
function argumentsFor(prompt: string): string {
  const codeWord = /The code word is (\w+)/.exec(prompt)?.[1]
  const sentence = /repeat this sentence as your message: (.+)$/.exec(prompt)?.[1]
  return JSON.stringify({ choice: 4, message: codeWord ?? sentence ?? 'That is fair.' })
}

function streamOf(head: object, call: { function: { name: string | undefined; arguments: string } }): string {
  const middle = Math.floor(call.function.arguments.length / 2)
  const deltas = [
    { role: 'assistant', tool_calls: [{ ...call, index: 0, function: { ...call.function, arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: call.function.arguments.slice(0, middle) } }] },
    { tool_calls: [{ index: 0, function: { arguments: call.function.arguments.slice(middle) } }] },
  ]
  const events = deltas.map((delta) =>
    JSON.stringify({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: null }],
    }),
  )
  return [...events, '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
}

function send(
  response: ServerResponse,
  { status = 200, headers = {}, body = '', endlessly }: StubReply,
): void {
  const type = typeof body === 'string' ? 'text/plain' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers })
  const content = typeof body === 'string' ? body : JSON.stringify(body)
  if (endlessly === undefined) {
    response.end(content)
    return
  }
  response.write(content)
  const more = () => {
    while (!response.destroyed && response.write(endlessly));
  }
  response.on('drain', more)
  more()
}

async function stopServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}
