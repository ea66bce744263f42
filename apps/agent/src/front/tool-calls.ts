import type { ChatCompletion, ChatMessage, ChatRequest, ToolCall } from '@atrium/agent-protocol'
import { Check, Errors } from 'typebox/schema'

/** What the model answered, assembled. */
export interface Answer {
  content: string | null
  calls: readonly ToolCall[]
  finishReason: string | null
}

export const answerOf = ({ choices }: ChatCompletion): Answer => ({
  content: choices[0]?.message.content ?? null,
  calls: choices[0]?.message.tool_calls ?? [],
  finishReason: choices[0]?.finish_reason ?? null,
})

/** Why the answer breaks the contract; undefined if it keeps it. */
export function issueOf(
  answer: Answer,
  { tools = [], tool_choice: choice }: ChatRequest,
): string | undefined {
  if (answer.calls.length === 0)
    return choice === 'required' ? 'The model answered without calling a tool.' : undefined
  for (const { function: called } of answer.calls) {
    const tool = tools.find((each) => each.function.name === called.name)
    if (tool === undefined)
      return `The model called “${called.name.slice(0, 64)}”, which is not one of the tools.`
    const issue = argumentsIssue(called.arguments, tool.function.parameters)
    if (issue !== undefined) return `The arguments for ${called.name} ${issue}`
  }
  return undefined
}

const longestExplained = 100_000

function argumentsIssue(text: string, schema: Record<string, unknown> | undefined): string | undefined {
  const value = parseObject(text)
  if (value === undefined) return 'are not a JSON object.'
  if (schema === undefined || Check(schema, value)) return undefined
  // TypeBox collects all errors before it says the first: a list with a million wrong items took ten seconds.
  if (text.length > longestExplained) return 'do not fit its schema, and are too long to say where.'
  const [, errors] = Errors(schema, value)
  const first = errors.toSorted((one, other) => other.instancePath.length - one.instancePath.length)[0]
  return `do not fit its schema: ${first?.instancePath || 'the value'} ${first?.message ?? 'is wrong'}.`
}

function parseObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The conversation with the wrong answer and what was wrong with it, so that the model can do better. */
export function withCorrection(request: ChatRequest, answer: Answer, issue: string): ChatRequest {
  const correction = `${issue} Call the tool again, with arguments that fit its schema.`
  const more: ChatMessage[] =
    answer.calls.length === 0
      ? [
          { role: 'assistant', content: answer.content ?? '' },
          { role: 'user', content: `${issue} Answer with a call of a tool.` },
        ]
      : [
          { role: 'assistant', content: answer.content, tool_calls: answer.calls.map(readable) },
          ...answer.calls.map(
            ({ id }): ChatMessage => ({ role: 'tool', tool_call_id: id, content: correction }),
          ),
        ]
  return { ...request, messages: [...request.messages, ...more] }
}

/** Chat templates parse the arguments of earlier calls and fail on what is not JSON. */
const readable = (call: ToolCall): ToolCall =>
  parseObject(call.function.arguments) === undefined
    ? { ...call, function: { ...call.function, arguments: '{}' } }
    : call

/** The usage of both attempts, because both were made. */
export function withUsageOf(later: ChatCompletion, earlier: ChatCompletion): ChatCompletion {
  if (later.usage === undefined || earlier.usage === undefined) return later
  return {
    ...later,
    usage: {
      prompt_tokens: later.usage.prompt_tokens + earlier.usage.prompt_tokens,
      completion_tokens: later.usage.completion_tokens + earlier.usage.completion_tokens,
      total_tokens: later.usage.total_tokens + earlier.usage.total_tokens,
    },
  }
}
