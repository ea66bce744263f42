import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Misuse } from '../../misuse.ts'

/**
 * The part of node-llama-cpp that we use. The package itself has 725 MB with everything for every graphics card, so it is
 * no dependency: `installNodeLlama` fetches it when it is needed first, and it is loaded from there.
 */
export interface NodeLlamaLibrary {
  getLlama(options: {
    gpu: Compute
    build: 'never'
    skipDownload: true
    progressLogs: false
    logLevel: 'error'
    maxThreads?: number
  }): Promise<Llama>
  resolveChatWrapper(model: LlamaModel): ChatWrapper
  LlamaText(parts: readonly unknown[]): LlamaText
  LlamaGrammarEvaluationState: new (options: { model: LlamaModel; grammar: Grammar }) => object
  LlamaChat: new (options: {
    contextSequence: LlamaSequence
    chatWrapper: ChatWrapper
    autoDisposeSequence: false
  }) => LlamaChat
}

export type Compute = false | 'cuda' | 'vulkan' | 'metal'

/** Opaque: a compiled grammar. */
export type Grammar = object

export interface Llama {
  loadModel(options: { modelPath: string; gpuLayers?: number | 'auto' }): Promise<LlamaModel>
  createGrammar(options: { grammar: string }): Promise<Grammar>
  createGrammarForJsonSchema(schema: object): Promise<Grammar>
  dispose(): Promise<void>
}

export interface LlamaModel {
  readonly trainContextSize: number
  readonly tokenizer: object
  detokenize(tokens: readonly number[], specialTokens?: boolean, lastTokens?: readonly number[]): string
  createContext(options: { contextSize: number; sequences: number; threads?: number }): Promise<LlamaContext>
}

export interface LlamaContext {
  readonly contextSize: number
  readonly batchSize: number
  getSequence(): LlamaSequence
}

export interface SamplingOptions {
  temperature: number
  topP: number
  topK: number
  minP: number
  seed: number
}

export interface LlamaSequence {
  readonly nextTokenIndex: number
  readonly tokenMeter: { readonly usedOutputTokens: number }
  compareContextTokens(tokens: readonly number[]): { firstDifferentIndex: number }
  adaptStateToTokens(tokens: readonly number[], allowShift: boolean): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: readonly number[]): Promise<void>
  evaluate(
    tokens: readonly number[],
    options: SamplingOptions & { grammarEvaluationState: object },
  ): AsyncGenerator<number, void, undefined>
}

interface LlamaText {
  tokenize(tokenizer: object): number[]
}

export interface ChatWrapper {
  readonly settings: { functions: { call: { prefix: unknown; paramsPrefix: unknown } } }
  generateContextState(options: {
    chatHistory: readonly HistoryItem[]
    availableFunctions?: Functions
    documentFunctionParams?: boolean
  }): { contextText: LlamaText }
}

export type HistoryItem =
  | { type: 'system'; text: string }
  | { type: 'user'; text: string }
  | { type: 'model'; response: (string | HistoryCall)[] }

export interface HistoryCall {
  type: 'functionCall'
  name: string
  params: unknown
  result: unknown
}

export type Functions = Record<string, { description?: string; params?: object }>

interface LlamaChat {
  generateResponse(
    history: readonly HistoryItem[],
    options: SamplingOptions & {
      functions?: Functions
      documentFunctionParams?: boolean
      maxTokens: number
      signal: AbortSignal
      customStopTriggers?: readonly string[]
      /** Called when the context is full, to make room. */
      contextShift: { strategy(): never }
      onResponseChunk(chunk: {
        segmentType?: string | undefined
        text: string
        tokens: readonly number[]
      }): void
      onFunctionCallParamsChunk?(chunk: {
        callIndex: number
        functionName: string
        paramsChunk: string
        done: boolean
      }): void
    },
  ): Promise<{ metadata: { stopReason: string } }>
  dispose(options: { disposeSequence: boolean }): void
}

/** Loads the package from a folder of `installNodeLlama`. */
export async function loadNodeLlama(folder: string): Promise<NodeLlamaLibrary> {
  const entry = join(folder, 'node_modules', 'node-llama-cpp', 'dist', 'index.js')
  await access(entry).catch(() => {
    throw new Misuse(`node-llama-cpp is not installed in ${folder}. Start the tool again to install it.`)
  })
  // biome-ignore lint/plugin: it is installed at run time, outside this package; the boundaries end here.
  return (await import(pathToFileURL(entry).href)) as NodeLlamaLibrary
}
