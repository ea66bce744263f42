import type { ChatRequest } from '@atrium/agent-protocol'
import { RequestRefused } from '../engine.ts'
import { createObjectWatch, evaluateText } from './evaluate.ts'
import type { Grammar, Llama, LlamaContext, LlamaSequence, SamplingOptions } from './library.ts'
import { newCallId, type Piece } from './pieces.ts'
import { callTokens, type LoadedModel, type Prompt } from './prompt.ts'

export interface GenerateDeps extends LoadedModel {
  llama: Llama
  context: LlamaContext
  contextTokens: number
}

/** An answer without a limit of its own has this one: a small model that repeats itself must end some time. */
const defaultMaxTokens = 4_096

/** llama.cpp's own defaults. */
const samplingOf = ({ temperature, top_p: topP, seed }: ChatRequest): SamplingOptions => ({
  temperature: temperature ?? 0.8,
  topP: topP ?? 0.95,
  topK: 40,
  minP: 0.05,
  seed: seed ?? Math.floor(Math.random() * 0x7fffffff),
})

const maxTokensOf = (request: ChatRequest, roomLeft: number): number =>
  Math.max(1, Math.min(request.max_completion_tokens ?? request.max_tokens ?? defaultMaxTokens, roomLeft))

/** A call of one of the tools: the grammar leaves the model no other way. */
export async function* generateCall(
  deps: GenerateDeps,
  sequence: LlamaSequence,
  request: ChatRequest,
  prompt: Prompt,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const { history, functions = {} } = prompt
  const usedBefore = sequence.tokenMeter.usedOutputTokens
  const sampling = samplingOf(request)
  const evaluate = { ...deps, batchSize: deps.context.batchSize }
  const names = Object.keys(functions)
  let name = names[0] ?? ''
  let tokens = prompt.tokens
  if (names.length > 1) {
    // The line break tells `get` from the beginning of `get_all`.
    const grammar = await deps.llama.createGrammar({
      grammar: `root ::= (${names.map(quoted).join(' | ')}) "\\n"`,
    })
    name = ''
    for await (const text of evaluateText(evaluate, sequence, tokens, {
      grammar,
      sampling,
      maxTokens: maxTokensOf(request, deps.contextTokens - tokens.length),
      signal,
    })) {
      name += text
      if (text.includes('\n')) break
    }
    name = name.trim()
    tokens = callTokens(deps, history, functions, name)
    // The name and what follows it have made the prompt longer than the one that was counted.
    if (tokens.length >= deps.contextTokens) refuseShift()
  }
  yield { kind: 'call', index: 0, id: newCallId(), name }
  const grammar: Grammar = await deps.llama.createGrammarForJsonSchema(functions[name]?.params ?? {})
  const watch = createObjectWatch()
  let isComplete = false
  for await (const text of evaluateText(evaluate, sequence, tokens, {
    grammar,
    sampling,
    maxTokens: maxTokensOf(request, deps.contextTokens - tokens.length),
    signal,
  })) {
    const seen = watch(text)
    yield { kind: 'arguments', index: 0, text: seen.used }
    isComplete = seen.isComplete
    if (isComplete) break
  }
  yield {
    kind: 'end',
    finishReason: isComplete ? 'tool_calls' : 'length',
    promptTokens: prompt.tokens.length,
    answerTokens: sequence.tokenMeter.usedOutputTokens - usedBefore,
  }
}

const quoted = (name: string): string => `"${name}"` // The front admits letters, digits, underscores and dashes.

/** Text, or calls where the model wants them. */
export async function* generateFreely(
  deps: GenerateDeps,
  sequence: LlamaSequence,
  request: ChatRequest,
  prompt: Prompt,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const chat = new deps.library.LlamaChat({
    contextSequence: sequence,
    chatWrapper: deps.wrapper,
    autoDisposeSequence: false,
  })
  const pieces = createPieceQueue()
  const usedBefore = sequence.tokenMeter.usedOutputTokens
  const calls = new Set<number>()
  const { stop } = request
  const stops = typeof stop === 'string' ? [stop] : (stop ?? [])
  const response = chat
    .generateResponse(prompt.history, {
      ...samplingOf(request),
      ...(prompt.functions === undefined
        ? {}
        : {
            functions: prompt.functions,
            documentFunctionParams: true,
            onFunctionCallParamsChunk({ callIndex: index, functionName: name, paramsChunk: text }) {
              if (!calls.has(index)) pieces.add({ kind: 'call', index, id: newCallId(), name })
              calls.add(index)
              if (text !== '') pieces.add({ kind: 'arguments', index, text })
            },
          }),
      maxTokens: maxTokensOf(request, deps.contextTokens - prompt.tokens.length),
      signal,
      customStopTriggers: stops.filter((text) => text !== ''),
      contextShift: { strategy: refuseShift },
      onResponseChunk({ segmentType, text }) {
        // Thoughts are not part of the answer.
        if (segmentType === undefined && text !== '') pieces.add({ kind: 'text', text })
      },
    })
    .finally(() => pieces.close())
  response.catch(() => undefined) // Thrown below, after the pieces that came before it.
  try {
    yield* pieces
    const { metadata } = await response
    yield {
      kind: 'end',
      finishReason: calls.size > 0 ? 'tool_calls' : metadata.stopReason === 'maxTokens' ? 'length' : 'stop',
      promptTokens: prompt.tokens.length,
      answerTokens: sequence.tokenMeter.usedOutputTokens - usedBefore,
    }
  } finally {
    await response.catch(() => undefined) // The sequence is free only when the evaluation has ended.
    chat.dispose({ disposeSequence: false })
  }
}

/** It would forget the beginning of the conversation silently. */
function refuseShift(): never {
  throw new RequestRefused(
    'context_length_exceeded',
    'The answer does not fit into what is left of the context.',
  )
}

/** From callbacks to an iteration. */
function createPieceQueue(): AsyncIterable<Piece> & { add(piece: Piece): void; close(): void } {
  const waiting: Piece[] = []
  let isClosed = false
  let wake = (): void => undefined
  return {
    add(piece) {
      waiting.push(piece)
      wake()
    },
    close() {
      isClosed = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        yield* waiting.splice(0)
        if (waiting.length > 0) continue
        if (isClosed) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
