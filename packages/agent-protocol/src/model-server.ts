import { Type } from 'typebox'

/**
 * What a model server that an operator runs has to offer: chat completions with function calling. Only what the platform
 * sends and reads is described; servers may offer more.
 */

/** Every turn of an agent is a call of this tool. */
export const respondTool = 'respond'

/** Both are below the `/v1` in which the base URL ends. */
export const modelServerPaths = { models: '/models', chatCompletions: '/chat/completions' } as const

const ToolCall = Type.Object({
  id: Type.String(),
  type: Type.Literal('function'),
  function: Type.Object({
    name: Type.String(),
    arguments: Type.String({ description: 'JSON that agrees with the parameters of the tool' }),
  }),
})
export type ToolCall = Type.Static<typeof ToolCall>

const TextPart = Type.Object({ type: Type.Literal('text'), text: Type.String() })
const Content = Type.Union([Type.String(), Type.Array(TextPart), Type.Null()])

const ChatMessage = Type.Object({
  role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: Type.Optional(Content),
  name: Type.Optional(Type.String()),
  tool_calls: Type.Optional(Type.Array(ToolCall)),
  tool_call_id: Type.Optional(Type.String()),
})
export type ChatMessage = Type.Static<typeof ChatMessage>

const ChatTool = Type.Object({
  type: Type.Literal('function'),
  function: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 64 }),
    description: Type.Optional(Type.String()),
    parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema' })),
  }),
})
export type ChatTool = Type.Static<typeof ChatTool>

const ToolChoice = Type.Union([
  Type.Enum(['none', 'auto', 'required']),
  Type.Object({ type: Type.Literal('function'), function: Type.Object({ name: Type.String() }) }),
])

export const ChatRequest = Type.Object({
  model: Type.Optional(Type.String()),
  messages: Type.Array(ChatMessage, { minItems: 1, maxItems: 10_000 }),
  tools: Type.Optional(Type.Array(ChatTool, { maxItems: 128 })),
  tool_choice: Type.Optional(ToolChoice),
  temperature: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 2 }), Type.Null()])),
  top_p: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()])),
  max_tokens: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
  max_completion_tokens: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
  seed: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  stop: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 16 }), Type.Null()])),
  stream: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  stream_options: Type.Optional(
    Type.Union([Type.Object({ include_usage: Type.Optional(Type.Boolean()) }), Type.Null()]),
  ),
})
export type ChatRequest = Type.Static<typeof ChatRequest>

const Usage = Type.Object({
  prompt_tokens: Type.Integer({ minimum: 0 }),
  completion_tokens: Type.Integer({ minimum: 0 }),
  total_tokens: Type.Integer({ minimum: 0 }),
})

export const ChatCompletion = Type.Object({
  id: Type.String(),
  object: Type.Literal('chat.completion'),
  created: Type.Integer(),
  model: Type.String(),
  choices: Type.Array(
    Type.Object({
      index: Type.Integer(),
      message: Type.Object({
        role: Type.Literal('assistant'),
        content: Type.Union([Type.String(), Type.Null()]),
        tool_calls: Type.Optional(Type.Array(ToolCall)),
      }),
      finish_reason: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  usage: Type.Optional(Usage),
})
export type ChatCompletion = Type.Static<typeof ChatCompletion>

/** One server-sent event of a streamed completion; the stream ends with `[DONE]`. */
export const ChatChunk = Type.Object({
  id: Type.String(),
  object: Type.Literal('chat.completion.chunk'),
  created: Type.Integer(),
  model: Type.String(),
  choices: Type.Array(
    Type.Object({
      index: Type.Integer(),
      delta: Type.Object({
        role: Type.Optional(Type.Literal('assistant')),
        content: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        tool_calls: Type.Optional(
          Type.Array(
            Type.Object({
              index: Type.Integer(),
              id: Type.Optional(Type.String()),
              type: Type.Optional(Type.Literal('function')),
              function: Type.Optional(
                Type.Object({
                  name: Type.Optional(Type.String()),
                  arguments: Type.Optional(Type.String()),
                }),
              ),
            }),
          ),
        ),
      }),
      finish_reason: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  usage: Type.Optional(Type.Union([Usage, Type.Null()])),
})
export type ChatChunk = Type.Static<typeof ChatChunk>

export const ModelList = Type.Object({
  object: Type.Optional(Type.Literal('list')),
  data: Type.Array(Type.Object({ id: Type.String() })),
})
export type ModelList = Type.Static<typeof ModelList>

/** The body of every error. */
export const ModelServerError = Type.Object({
  error: Type.Object({
    message: Type.String(),
    type: Type.String(),
    param: Type.Union([Type.String(), Type.Null()]),
    code: Type.Union([Type.String(), Type.Null()]),
  }),
})
export type ModelServerError = Type.Static<typeof ModelServerError>
