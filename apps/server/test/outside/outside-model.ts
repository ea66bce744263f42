import type { ChatRequest } from '@atrium/agent-protocol'
import type { StubReply } from '@atrium/testkit'

/** A model that shares 8 and finds everything fair; of its replies to questions the first one is not valid. */
export function modelReply(request: ChatRequest, _faultless: StubReply, nth: number): StubReply {
  const { state, components } = JSON.parse(String(request.messages.at(-1)?.content))
  const asked = components.filter(({ answer }: { answer: string }) => answer === 'required')
  if (asked.length === 0) return calling({ action: { name: 'continue' } })
  if (nth === 1) return calling({ action: { name: 'dance' } })
  const answers = Object.fromEntries(
    asked.map(({ id }: { id: string }) => [id, state.id === 'share' ? 8 : 50]),
  )
  return calling({ action: { name: 'answer', answers } })
}

const calling = (args: unknown): StubReply => ({
  body: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'stub-model-served',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'respond', arguments: JSON.stringify(args) },
            },
          ],
        },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  },
})
