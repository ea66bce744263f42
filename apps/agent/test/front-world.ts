import { type ChatTool, ModelServerError } from '@atrium/agent-protocol'
import OpenAI from 'openai'
import { Check } from 'typebox/value'
import { expect } from 'vitest'
import type { Engine } from '../src/engines/engine.ts'
import { openUpstream } from '../src/engines/upstream.ts'
import { type Front, type FrontEntry, type FrontOptions, startFront } from '../src/front/front.ts'
import {
  type StubExchange,
  type StubUpstream,
  startStubUpstream,
  stubKey,
  stubModel,
} from './stub-upstream.ts'

export const frontKey = 'atr_front-secret'

export interface FrontWorld {
  front: Front
  engine: Engine
  upstream: StubUpstream
  openai: OpenAI
  /** What was logged. */
  entries: FrontEntry[]
  stop(): Promise<void>
}

/** The front, with an upstream server behind it that does what a test tells it to. */
export async function startFrontWorld(
  options: Partial<FrontOptions> & { parallel?: number; contextTokens?: number } = {},
): Promise<FrontWorld> {
  const { parallel = 2, contextTokens = 4_096, ...frontOptions } = options
  const upstream = await startStubUpstream()
  const engine = await openUpstream(
    { kind: 'upstream', baseUrl: upstream.baseUrl, apiKey: stubKey, model: stubModel },
    { contextTokens, parallel, say: () => undefined },
  )
  const entries: FrontEntry[] = []
  const front = await startFront({
    engine,
    apiKey: frontKey,
    host: '127.0.0.1',
    port: 0,
    log: (entry) => entries.push(entry),
    ...frontOptions,
  }).catch(async (error: unknown) => {
    await engine.stop()
    await upstream.stop()
    throw error
  })
  return {
    front,
    engine,
    upstream,
    openai: openaiOf(front),
    entries,
    async stop() {
      await front.stop()
      await engine.stop()
      await upstream.stop()
    },
  }
}

export const openaiOf = ({ address }: Front, apiKey = frontKey): OpenAI =>
  new OpenAI({ baseURL: `${address}/v1`, apiKey, maxRetries: 0 })

export const respond: ChatTool = {
  type: 'function',
  function: {
    name: 'respond',
    description: 'Answer',
    parameters: {
      type: 'object',
      properties: { choice: { type: 'string', enum: ['left', 'right'] } },
      required: ['choice'],
      additionalProperties: false,
    },
  },
}

export const named = { type: 'function', function: { name: 'respond' } } as const

/** A request as the platform sends it. */
export const turn = {
  model: stubModel,
  messages: [{ role: 'user', content: 'Left or right?' }],
  tools: [respond],
  tool_choice: named,
} satisfies OpenAI.ChatCompletionCreateParamsNonStreaming

/** A raw request, with the key unless another header is given. */
export const post = (front: Front, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${front.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${frontKey}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** What a refusal says, in the form that the protocol promises. */
export async function errorOf(response: Response): Promise<ModelServerError['error']> {
  const body: unknown = await response.json()
  expect(Check(ModelServerError, body), JSON.stringify(body)).toBe(true)
  return (body as ModelServerError).error
}

/** Requests that the upstream keeps until the test answers them. */
export function holdRequests({ upstream }: FrontWorld): StubExchange[] {
  const held: StubExchange[] = []
  upstream.behave((exchange) => void held.push(exchange))
  return held
}
