import type { ChatRequest } from '@atrium/agent-protocol'
import { Misuse } from '../../misuse.ts'
import { oneLine } from '../../one-line.ts'
import type { Engine, EngineOptions } from '../engine.ts'
import { type GenerateDeps, generateCall, generateFreely } from './generate.ts'
import { type Compute, type Llama, type LlamaModel, type LlamaSequence, loadNodeLlama } from './library.ts'
import { chunksOf, completionOf, type Piece } from './pieces.ts'
import { type Prompt, promptOf } from './prompt.ts'

export interface NodeLlamaChoice {
  kind: 'node-llama-cpp'
  /** Where `installNodeLlama` has put it. */
  folder: string
  modelPath: string
  /** The name that `/models` lists. */
  model: string
  compute?: Compute
}

/** llama.cpp inside this process. It counts tokens first, because the library cuts what is too long silently. */
export async function openNodeLlama(choice: NodeLlamaChoice, options: EngineOptions): Promise<Engine> {
  const { model: name } = choice
  const { contextTokens, parallel } = options
  const { deps, sequences } = await load(choice, options)
  const prompts = new WeakMap<ChatRequest, Prompt>()
  const promptFor = (request: ChatRequest): Prompt => {
    const prompt = prompts.get(request) ?? promptOf(deps, request)
    prompts.set(request, prompt) // Counting and answering are two calls.
    return prompt
  }
  async function* generate(request: ChatRequest, signal: AbortSignal): AsyncGenerator<Piece> {
    const prompt = promptFor(request)
    const sequence = await sequences.take(prompt.tokens)
    const generator = request.tool_choice === 'required' ? generateCall : generateFreely
    try {
      signal.throwIfAborted()
      yield* generator(deps, sequence, request, prompt, signal)
    } finally {
      sequences.giveBack(sequence)
    }
  }
  let stopped: Promise<void> | undefined
  return {
    model: name,
    contextTokens,
    parallel,
    countTokens: async (request) => promptFor(request).tokens.length,
    complete: (request, signal) => completionOf(generate(request, signal), name),
    stream: (request, signal) =>
      chunksOf(generate(request, signal), name, request.stream_options?.include_usage === true),
    lost: new Promise(() => undefined), // It is this process.
    stop: () => (stopped ??= deps.llama.dispose()),
  }
}

async function load(
  { folder, modelPath, compute = false }: NodeLlamaChoice,
  options: EngineOptions,
): Promise<{ deps: GenerateDeps; sequences: Sequences }> {
  const { contextTokens, parallel, threads, gpuLayers, say } = options
  if (options.mtp) say('node-llama-cpp has no speculative decoding with draft layers; it starts without.')
  const library = await loadNodeLlama(folder)
  const llama = await library
    .getLlama({
      gpu: compute,
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: 'error',
      ...(threads === undefined ? {} : { maxThreads: threads }),
    })
    .catch((error: Error) => {
      throw new Misuse(`node-llama-cpp does not run on this machine: ${oneLine(error.message)}`)
    })
  try {
    const model = await loadModel(llama, modelPath, compute === false ? 0 : gpuLayers)
    if (model.trainContextSize < contextTokens)
      throw new Misuse(
        `The model has a context of ${model.trainContextSize} tokens, not ${contextTokens}. ` +
          `Start with --ctx ${model.trainContextSize}.`,
      )
    const context = await model
      .createContext({
        contextSize: contextTokens,
        sequences: parallel,
        ...(threads === undefined ? {} : { threads }),
      })
      .catch((error: Error) => {
        throw new Misuse(
          `There is not enough memory for ${parallel} × ${contextTokens} tokens (${oneLine(error.message)}). ` +
            'Lower --parallel, then --ctx.',
        )
      })
    const sequences = createSequences(Array.from({ length: parallel }, () => context.getSequence()))
    const wrapper = library.resolveChatWrapper(model)
    return { deps: { library, llama, model, wrapper, context, contextTokens }, sequences }
  } catch (error) {
    await llama.dispose()
    throw error
  }
}

const loadModel = (llama: Llama, modelPath: string, gpuLayers: number | undefined): Promise<LlamaModel> =>
  llama.loadModel({ modelPath, gpuLayers: gpuLayers ?? 'auto' }).catch((error: Error) => {
    throw new Misuse(`${modelPath} cannot be loaded as a model: ${oneLine(error.message)}`)
  })

/** The places in the context, one for each request under way. Each remembers the tokens of its last request. */
interface Sequences {
  /** Prefers the place that already holds most of these tokens: they need not be evaluated again. */
  take(tokens: readonly number[]): Promise<LlamaSequence>
  giveBack(sequence: LlamaSequence): void
}

function createSequences(all: readonly LlamaSequence[]): Sequences {
  const free = new Set(all)
  const waiting: ((sequence: LlamaSequence) => void)[] = []
  return {
    async take(tokens) {
      const known = (sequence: LlamaSequence) => sequence.compareContextTokens(tokens).firstDifferentIndex
      const [best] = [...free].toSorted((one, other) => known(other) - known(one))
      // Only while an aborted request is still being evaluated: the front admits no more than there are places.
      if (best === undefined) return new Promise((resolve) => waiting.push(resolve))
      free.delete(best)
      return best
    },
    giveBack(sequence) {
      const next = waiting.shift()
      if (next === undefined) free.add(sequence)
      else next(sequence)
    },
  }
}
