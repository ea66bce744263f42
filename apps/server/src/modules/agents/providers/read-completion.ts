import { type BoundedJson, readBoundedJson } from './bounded-json.ts'
import type { ModelOutcome, ModelUsage } from './provider.ts'
import { loggedBody, quote, type Redact, redactValue } from './server-words.ts'

/** A reply with status 2xx, read as leniently as real servers require: only the call of the tool matters. */
export function readCompletion(text: string, toolName: string, redact: Redact): ModelOutcome {
  const body = readBoundedJson(text)
  const reply = loggedBody(text, body, redact)
  if (body.kind !== 'json' || !isRecord(body.value))
    return { kind: 'failed', reason: 'not_json', message: withoutObject(text, body), reply }
  const completion = body.value
  const found = { usage: usageOf(completion.usage), reply }
  const choices = listOf(completion.choices).filter(isRecord)
  const cutOff = choices.some((choice) => choice.finish_reason === 'length')
    ? ' It was cut off because it reached the limit of tokens.'
    : ''
  const failed = (reason: 'no_tool_call' | 'bad_arguments', message: string): ModelOutcome => ({
    kind: 'failed',
    reason,
    message: message + cutOff,
    ...found,
  })
  const call = callsOf(choices).find(({ name }) => name === toolName)
  if (!call) return failed('no_tool_call', withoutCall(completion, choices, toolName, redact))
  const given = readArguments(call.arguments)
  if (typeof given === 'string') return failed('bad_arguments', `The arguments of ${toolName} ${given}.`)
  return { kind: 'replied', arguments: redactValue(given.value, redact), ...found }
}

/** The JSON object, or what is wrong with it. Some servers send the object itself instead of its text. */
function readArguments(given: unknown): { value: object } | string {
  const read: BoundedJson =
    typeof given === 'string' ? readBoundedJson(given) : { kind: 'json', value: given }
  switch (read.kind) {
    case 'not_json':
      return 'are not valid JSON'
    case 'unusable':
      return `cannot be used: part of them ${read.because}`
    case 'json':
      return isRecord(read.value) ? { value: read.value } : 'are not a JSON object'
  }
}

const withoutObject = (text: string, body: BoundedJson): string =>
  body.kind === 'unusable'
    ? `The reply cannot be used: part of it ${body.because}.`
    : `The reply is ${formOf(text)} instead of a JSON object.`

function withoutCall(
  completion: Record<string, unknown>,
  choices: Record<string, unknown>[],
  toolName: string,
  redact: Redact,
): string {
  const problem = isRecord(completion.error) ? completion.error.message : undefined
  if (typeof problem === 'string') return `The reply is an error: ${quote(problem, redact)}.`
  const [other] = callsOf(choices)
  if (typeof other?.name === 'string')
    return `The model called the tool ${quote(other.name, redact)} instead of ${toolName}.`
  const said = choices.map((choice) => isRecord(choice.message) && choice.message.content)[0]
  const words = typeof said === 'string' && said !== '' ? `; it wrote ${quote(said, redact)}` : ''
  return `The model did not call the tool ${toolName}${words}.`
}

const callsOf = (choices: Record<string, unknown>[]): Record<string, unknown>[] =>
  choices
    .flatMap(({ message }) => (isRecord(message) ? listOf(message.tool_calls) : []))
    .flatMap((call) => (isRecord(call) && isRecord(call.function) ? [call.function] : []))

/** More than any model reads or writes at once; a larger number would spend a budget that was not spent. */
const maxTokens = 100_000_000

function usageOf(usage: unknown): ModelUsage | null {
  if (!isRecord(usage)) return null
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage
  return isCount(promptTokens) && isCount(completionTokens) ? { promptTokens, completionTokens } : null
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxTokens

function formOf(text: string): string {
  const start = text.slice(0, 100).trimStart()
  if (start === '') return 'empty'
  if (start.startsWith('<')) return 'a web page'
  return /^(data|event|id|retry)?:/.test(start) ? 'a stream, which was not asked for,' : 'something else'
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
