import { randomUUID } from 'node:crypto'
import type { ChatChunk, ChatCompletion, ToolCall } from '@atrium/agent-protocol'

/** What the model produces, piece by piece. The last one is the end. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'call'; index: number; id: string; name: string }
  | { kind: 'arguments'; index: number; text: string }
  | {
      kind: 'end'
      finishReason: 'stop' | 'length' | 'tool_calls'
      promptTokens: number
      answerTokens: number
    }

type Delta = ChatChunk['choices'][number]['delta']

export const newCallId = (): string => `call_${randomUUID().replaceAll('-', '')}`

export async function* chunksOf(
  pieces: AsyncIterable<Piece>,
  model: string,
  includeUsage: boolean,
): AsyncGenerator<ChatChunk> {
  const head = { ...headOf(model), object: 'chat.completion.chunk' as const }
  const chunk = (delta: Delta, finishReason: string | null = null): ChatChunk => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  })
  yield chunk({ role: 'assistant', content: null })
  for await (const piece of pieces) {
    if (piece.kind !== 'end') {
      yield chunk(deltaOf(piece))
      continue
    }
    yield chunk({}, piece.finishReason)
    if (includeUsage) yield { ...head, choices: [], usage: usageOf(piece) }
  }
}

function deltaOf(piece: Exclude<Piece, { kind: 'end' }>): Delta {
  if (piece.kind === 'text') return { content: piece.text }
  const { index } = piece
  return piece.kind === 'call'
    ? {
        tool_calls: [
          { index, id: piece.id, type: 'function', function: { name: piece.name, arguments: '' } },
        ],
      }
    : { tool_calls: [{ index, function: { arguments: piece.text } }] }
}

export async function completionOf(pieces: AsyncIterable<Piece>, model: string): Promise<ChatCompletion> {
  const head = headOf(model)
  let content = ''
  const calls: ToolCall[] = []
  for await (const piece of pieces)
    switch (piece.kind) {
      case 'text':
        content += piece.text
        break
      case 'call':
        calls[piece.index] = { id: piece.id, type: 'function', function: { name: piece.name, arguments: '' } }
        break
      case 'arguments': {
        const call = calls[piece.index]
        if (call !== undefined) call.function.arguments += piece.text
        break
      }
      case 'end':
        return {
          ...head,
          object: 'chat.completion',
          choices: [
            {
              index: 0,
              message: {
                role: 'assistant',
                content: content === '' && calls.length > 0 ? null : content,
                ...(calls.length > 0 ? { tool_calls: calls } : {}),
              },
              finish_reason: piece.finishReason,
            },
          ],
          usage: usageOf(piece),
        }
    }
  throw new Error('The model stopped without an end.')
}

const headOf = (model: string) => ({
  id: `chatcmpl-${randomUUID()}`,
  created: Math.floor(Date.now() / 1000),
  model,
})

const usageOf = ({ promptTokens, answerTokens }: Extract<Piece, { kind: 'end' }>) => ({
  prompt_tokens: promptTokens,
  completion_tokens: answerTokens,
  total_tokens: promptTokens + answerTokens,
})
