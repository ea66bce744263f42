import { randomUUID } from 'node:crypto'
import { ChatChunk, ChatCompletion } from '@atrium/agent-protocol'
import { Compile } from 'typebox/compile'
import { EngineFailed } from '../engine.ts'
import { isRecord, listOr, recordOr } from './json-facts.ts'

const completion = Compile(ChatCompletion)
const chunk = Compile(ChatChunk)

/**
 * What servers leave out although OpenAI has it: ids of calls (Ollama), arguments as an object instead of text, no
 * `content` beside calls, no `finish_reason` in the middle of a stream. SGLang and others write `null` or an empty text
 * instead. What else they add is kept.
 */
export function readCompletion(value: unknown, model: string, who: string): ChatCompletion {
  const read = {
    ...withHead(value, 'chat.completion', model),
    choices: listOr(recordOr(value).choices).map((choice, index) => ({
      ...withReason(choice, index),
      message: withCalls(
        { role: 'assistant', content: null, ...withoutNulls(recordOr(choice).message) },
        completeCall,
      ),
    })),
  }
  if (!completion.Check(read) || read.choices.length === 0)
    throw new EngineFailed(502, `${who} did not answer with a chat completion.`)
  return read
}

export function readChunk(value: unknown, model: string, who: string): ChatChunk {
  const read = {
    ...withHead(value, 'chat.completion.chunk', model),
    choices: listOr(recordOr(value).choices).map((choice, index) => ({
      ...withReason(choice, index),
      delta: withCalls(withoutNulls(recordOr(choice).delta), partialCall),
    })),
  }
  if (!chunk.Check(read))
    throw new EngineFailed(502, `${who} streamed something that is not a chat completion.`)
  return read
}

const withoutNulls = (value: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(recordOr(value)).filter(([, member]) => member !== null))

function withHead(value: unknown, object: string, model: string): Record<string, unknown> {
  const { usage, ...given } = withoutNulls(value)
  return {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(Date.now() / 1000),
    model,
    ...given,
    ...withUsage(recordOr(usage)),
    object,
  }
}

/** Only a usage that counts: some servers send an empty one in the middle of a stream, or leave out the sum. */
function withUsage(usage: Record<string, unknown>): { usage?: Record<string, unknown> } {
  const { prompt_tokens: prompt, completion_tokens: answered, total_tokens: total } = usage
  if (!isCount(prompt) || !isCount(answered)) return {}
  return { usage: { ...usage, total_tokens: isCount(total) ? total : prompt + answered } }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function withReason(choice: unknown, index: number): Record<string, unknown> {
  const { finish_reason: reason, ...rest } = withoutNulls(choice)
  return { index, ...rest, finish_reason: reason === undefined || reason === '' ? null : reason }
}

function withCalls(
  message: Record<string, unknown>,
  read: (call: unknown, index: number) => unknown,
): Record<string, unknown> {
  const { tool_calls: calls, ...rest } = message
  return Array.isArray(calls) && calls.length > 0 ? { ...rest, tool_calls: calls.map(read) } : rest
}

function completeCall(call: unknown): unknown {
  const { id, function: called, ...rest } = recordOr(call)
  const hasId = typeof id === 'string' && id !== ''
  return { ...rest, id: hasId ? id : `call_${randomUUID()}`, type: 'function', function: withText(called) }
}

const partialCall = (call: unknown, index: number): unknown => {
  const { function: called, ...rest } = withoutNulls(call)
  return { index, ...rest, ...(isRecord(called) ? { function: withText(called) } : {}) }
}

function withText(called: unknown): Record<string, unknown> {
  const { arguments: given, ...rest } = withoutNulls(called)
  if (given === undefined) return rest
  return { ...rest, arguments: typeof given === 'string' ? given : JSON.stringify(given) }
}
