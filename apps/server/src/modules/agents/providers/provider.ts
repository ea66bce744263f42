import type { ChatMessage, ChatRequest, ChatTool } from '@atrium/agent-protocol'
import type { AgentSampling } from '../../rooms/index.ts'

/** One question to a model: it has to answer with one call of `tool`. */
export interface ModelRequest {
  model: string
  messages: ChatMessage[]
  tool: ChatTool
  sampling: AgentSampling
}

export interface ModelUsage {
  promptTokens: number
  completionTokens: number
}

type ModelFailure =
  | 'timeout'
  /** The guard refuses the address, or nothing answers there. */
  | 'address'
  | 'unreachable'
  | 'status'
  | 'too_large'
  | 'not_json'
  | 'no_tool_call'
  | 'bad_arguments'

export type ModelOutcome =
  | {
      kind: 'replied'
      /** A JSON object of bounded depth; whether it is a legal move is for the caller to say. */
      arguments: unknown
      usage: ModelUsage | null
      /** JSON of bounded size, for the log. */
      reply: unknown
    }
  | {
      kind: 'failed'
      reason: ModelFailure
      /** One or two sentences; what the server said is quoted, short and on one line. */
      message: string
      /** Of a reply whose status was not 2xx. */
      status?: number
      /** Tokens are spent even if the reply is of no use. */
      usage?: ModelUsage | null
      reply?: unknown
    }

export interface ModelProvider {
  /** Rejects only when `signal` aborts, with its reason; whatever the server does is an outcome. */
  ask(request: ModelRequest, options: { timeoutMs: number; signal: AbortSignal }): Promise<ModelOutcome>
}

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
