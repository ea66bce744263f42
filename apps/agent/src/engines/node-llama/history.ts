import type { ChatMessage, ChatRequest } from '@atrium/agent-protocol'
import { RequestRefused } from '../engine.ts'
import { parseJson } from '../http/json-facts.ts'
import { grammarSchemaOf } from './grammar-schema.ts'
import type { Functions, HistoryCall, HistoryItem } from './library.ts'

/** The conversation as node-llama-cpp knows it: calls and their results are parts of what the model said. */
export function historyOf(messages: readonly ChatMessage[]): HistoryItem[] {
  const history: HistoryItem[] = []
  const open = new Map<string, HistoryCall>()
  const modelSays = (): (string | HistoryCall)[] => {
    const last = history.at(-1)
    if (last?.type === 'model') return last.response
    const response: (string | HistoryCall)[] = []
    history.push({ type: 'model', response })
    return response
  }
  for (const [index, message] of messages.entries())
    switch (message.role) {
      case 'system':
      case 'developer':
        history.push({ type: 'system', text: textOf(message) })
        break
      case 'user':
        history.push({ type: 'user', text: textOf(message) })
        break
      case 'assistant': {
        const said = modelSays()
        if (textOf(message) !== '') said.push(textOf(message))
        for (const { id, function: called } of message.tool_calls ?? []) {
          const params = parseJson(called.arguments) ?? {}
          const call: HistoryCall = { type: 'functionCall', name: called.name, params, result: null }
          open.set(id, call)
          said.push(call)
        }
        break
      }
      case 'tool': {
        const call = open.get(message.tool_call_id ?? '')
        if (call === undefined)
          throw new RequestRefused(
            'invalid_request',
            `messages[${index}].tool_call_id: no call before it has this id.`,
          )
        call.result = textOf(message)
      }
    }
  modelSays() // What comes next is said by the model.
  return history
}

const textOf = ({ content }: ChatMessage): string =>
  Array.isArray(content) ? content.map(({ text }) => text).join('') : (content ?? '')

export const functionsOf = ({ tools = [] }: ChatRequest): Functions =>
  Object.fromEntries(
    tools.map(({ function: { name, description, parameters } }) => [
      name,
      { ...(description === undefined ? {} : { description }), params: grammarSchemaOf(parameters) },
    ]),
  )
