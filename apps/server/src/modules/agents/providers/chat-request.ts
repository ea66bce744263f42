import type { ChatRequest } from '@atrium/agent-protocol'
import type { ModelRequest } from './provider.ts'

/** Newer models of OpenAI refuse the one, most other servers know only the other. */
export type TokenLimitName = 'max_tokens' | 'max_completion_tokens'

/** R44: the body of a request, as it is sent and as it is kept. */
export function chatRequestOf(
  { model, messages, tool, sampling }: ModelRequest,
  limitName: TokenLimitName = 'max_tokens',
): ChatRequest {
  const { temperature, topP, maxTokens, seed } = sampling
  return {
    model,
    messages,
    tools: [tool],
    tool_choice: { type: 'function', function: { name: tool.function.name } },
    stream: false,
    [limitName]: maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(seed !== undefined && { seed }),
  }
}
