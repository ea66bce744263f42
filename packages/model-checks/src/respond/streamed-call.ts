import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { createLineCutter } from './cut-lines.ts'
import type { Completion } from './read-call.ts'

const Chunk = Type.Object({
  choices: Type.Array(
    Type.Object({
      delta: Type.Optional(
        Type.Object({
          content: Type.Optional(Type.Unknown()),
          tool_calls: Type.Optional(
            Type.Union([
              Type.Null(),
              Type.Array(
                Type.Object({
                  index: Type.Optional(Type.Integer({ minimum: 0 })),
                  function: Type.Optional(
                    Type.Object({
                      name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
                      arguments: Type.Optional(Type.Union([Type.String(), Type.Null()])),
                    }),
                  ),
                }),
              ),
            ]),
          ),
        }),
      ),
    }),
  ),
})

export interface StreamedCall {
  /** Reads a piece of the body. True when it held the first words of the answer. */
  add(text: string): boolean
  /** The completion that the deltas make together. */
  completion(): Completion
  isDone(): boolean
  /** What was not understood, if anything. */
  problem(): string | undefined
}

/** Puts the deltas of a streamed completion together again. The caller bounds the length of the body. */
export function reassemble(): StreamedCall {
  const call = { name: '', arguments: '' }
  let content = ''
  const lines = createLineCutter()
  let isDone = false
  let problem: string | undefined

  /** True if the line held words of the answer. */
  function readLine(line: string): boolean {
    if (!line.startsWith('data:')) return false // Comments and names of events.
    const data = line.slice('data:'.length).trim()
    if (data === '[DONE]') {
      isDone = true
      return false
    }
    const chunk = parse(data)
    if (!Check(Chunk, chunk)) {
      problem ??= 'an event of the stream is not a chunk of a completion'
      return false
    }
    const delta = chunk.choices[0]?.delta
    let hasWords = false
    if (typeof delta?.content === 'string' && delta.content !== '') {
      content += delta.content
      hasWords = true
    }
    for (const part of delta?.tool_calls ?? []) {
      if ((part.index ?? 0) !== 0) continue // Only the first call counts, as in an answer in one piece.
      call.name += part.function?.name ?? ''
      call.arguments += part.function?.arguments ?? ''
      hasWords = true
    }
    return hasWords
  }

  return {
    add: (text) => lines.add(text).map(readLine).some(Boolean),
    completion: () => ({
      choices: [{ message: { content, ...(call.name !== '' && { tool_calls: [{ function: call }] }) } }],
    }),
    isDone: () => isDone,
    problem: () => problem,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
