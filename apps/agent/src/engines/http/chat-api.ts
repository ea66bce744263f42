import type { IncomingMessage } from 'node:http'
import {
  type ChatChunk,
  type ChatCompletion,
  type ChatRequest,
  modelServerPaths,
} from '@atrium/agent-protocol'
import { EngineFailed } from '../engine.ts'
import {
  bodyOf,
  type CallerOptions,
  createCaller,
  type HttpCaller,
  readBeginning,
  readBounded,
} from './call.ts'
import { deepestValue, isDeeperThan, isRecord, parseJson } from './json-facts.ts'
import { readChunk, readCompletion } from './read-answer.ts'
import { refusalOf } from './refusals.ts'
import { readEvents } from './server-sent-events.ts'

/** An answer of a model is far smaller; an endless one must not fill the memory. */
const maxAnswerBytes = 16_000_000
const maxErrorBytes = 65_536

export interface ChatApi {
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatCompletion>
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatChunk>
  /** The parsed answer, or the refusal as an error. */
  getJson(path: string, signal: AbortSignal): Promise<unknown>
  close(): void
}

/** A server that speaks OpenAI's chat completions below `baseUrl`. */
export function connectChatApi(options: CallerOptions & { model: string }): ChatApi {
  const { who, model } = options
  const caller = createCaller(options)
  return {
    async complete(request, signal) {
      const response = await postChat(caller, { ...request, model, stream: false }, signal, who)
      if (isEventStream(response)) {
        response.destroy()
        throw new EngineFailed(502, `${who} streams although it was not asked to.`)
      }
      return readCompletion(await readJson(response, who), model, who)
    },
    async *stream(request, signal) {
      const response = await postChat(caller, { ...request, model, stream: true }, signal, who)
      if (!isEventStream(response)) {
        response.destroy()
        throw new EngineFailed(502, `${who} does not stream.`)
      }
      for await (const data of readEvents(bodyOf(response, who), who)) {
        if (data === '[DONE]') return
        yield readChunk(dataOf(data, who), model, who)
      }
      throw new EngineFailed(502, `${who} broke off in the middle of its answer.`)
    },
    async getJson(path, signal) {
      const response = await caller.call('GET', path, undefined, signal)
      if (response.statusCode !== 200) throw await errorOf(response, who)
      return readJson(response, who)
    },
    close: () => caller.close(),
  }
}

async function postChat(
  caller: HttpCaller,
  request: ChatRequest,
  signal: AbortSignal,
  who: string,
): Promise<IncomingMessage> {
  const response = await caller.call(
    'POST',
    modelServerPaths.chatCompletions,
    JSON.stringify(request),
    signal,
  )
  if (response.statusCode !== 200) throw await errorOf(response, who)
  return response
}

async function errorOf(response: IncomingMessage, who: string): Promise<Error> {
  // Some servers repeat the request in their refusal. Its status counts, even if its words are not understood any more.
  const { text: body } = await readBeginning(response, maxErrorBytes, who)
  return refusalOf(who, {
    status: response.statusCode ?? 0,
    body,
    retryAfter: response.headers['retry-after'],
  })
}

async function readJson(response: IncomingMessage, who: string): Promise<unknown> {
  const value = parseJson(await readBounded(response, maxAnswerBytes, who))
  if (value !== undefined) return notTooDeep(value, who)
  const type = response.headers['content-type'] ?? 'no type'
  throw new EngineFailed(502, `${who} answered with something that is not JSON (${type.slice(0, 80)}).`)
}

/** An event, unless it is an error: those come in the middle of a stream with a status of their own, or none. */
function dataOf(data: string, who: string): unknown {
  const value = parseJson(data)
  if (value === undefined) throw new EngineFailed(502, `${who} streamed something that is not JSON.`)
  const error = isRecord(value) && 'choices' in value ? undefined : errorIn(value)
  if (error === undefined) return notTooDeep(value, who)
  const status = isRecord(error) && typeof error.code === 'number' ? error.code : 500
  throw refusalOf(who, {
    status,
    body: JSON.stringify({ error: notTooDeep(error, who) }),
    retryAfter: undefined,
  })
}

/** What is passed on is written as JSON again. */
function notTooDeep(value: unknown, who: string): unknown {
  if (isDeeperThan(value, deepestValue))
    throw new EngineFailed(502, `${who} answered with values that are nested too deep.`)
  return value
}

/** `{error: {…}}`, or the error alone as llama-server has sent it. */
function errorIn(value: unknown): unknown {
  if (!isRecord(value)) return undefined
  return value.error ?? ('message' in value ? value : undefined)
}

const isEventStream = (response: IncomingMessage): boolean =>
  (response.headers['content-type'] ?? '').startsWith('text/event-stream')
