import type { ChatTool } from '@atrium/agent-protocol'
import { type StubModelServerOptions, type StubReply, startStubModelServer } from '@atrium/testkit'
import { onTestFinished } from 'vitest'
import { guard } from '../../../../adapters/outbound/test/guard-world.ts'
import { createOpenAiProvider, type OpenAiProviderDeps } from '../openai-provider.ts'
import type { ModelRequest } from '../provider.ts'

export const apiKey = 'atr_stub'
export const tool: ChatTool = {
  type: 'function',
  function: { name: 'respond', description: 'Act.', parameters: { type: 'object' } },
}
export const request: ModelRequest = {
  model: 'stub-model',
  messages: [
    { role: 'system', content: 'You take part.' },
    { role: 'user', content: '{"v":1}' },
  ],
  tool,
  sampling: { maxTokens: 1_024 },
}

export function provider(deps: Partial<OpenAiProviderDeps> & { baseUrl: string }) {
  return createOpenAiProvider({ apiKey, fetch: guard({ hosted: false }).fetch, ...deps })
}

export const patient = () => ({ timeoutMs: 60_000, signal: new AbortController().signal })

export async function start(options: StubModelServerOptions = {}) {
  const stub = await startStubModelServer(options)
  onTestFinished(stub.stop)
  return stub
}

/** The outcome of asking a server that always replies so. */
export async function askServer(reply: StubReply, key = apiKey) {
  const { baseUrl } = await start({ onCompletion: () => reply, accepts: () => true })
  return provider({ baseUrl, apiKey: key }).ask(request, patient())
}

export const completion = (message: unknown, rest: object = {}): StubReply => ({
  body: { choices: [{ index: 0, message, finish_reason: 'tool_calls' }], ...rest },
})
export const calling = (...calls: [name: string, given: unknown][]): StubReply =>
  completion({ tool_calls: calls.map(([name, given]) => ({ function: { name, arguments: given } })) })

/** JSON of so many levels. */
export const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
