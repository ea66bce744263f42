import type { ChatChunk, ChatCompletion, ChatRequest } from '@atrium/agent-protocol'

/**
 * Whatever runs the model. The front has checked the request and holds the engine to `parallel`. Of the choices of tools
 * only `auto` and `required` arrive here, with the tools that may be called; a request without tools has no choice.
 */
export interface Engine {
  /** The name that `/models` lists. */
  readonly model: string
  /** How many tokens one request and its answer may have together. */
  readonly contextTokens: number
  readonly parallel: number
  /** How many tokens the request has; undefined if the engine cannot say. Then it must refuse too many by itself. */
  countTokens(request: ChatRequest, signal: AbortSignal): Promise<number | undefined>
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatCompletion>
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatChunk>
  /** Settles when the engine is gone without having been stopped, with a sentence that says why. */
  readonly lost: Promise<string>
  /** Ends everything that it started; safe to call twice. */
  stop(): Promise<void>
}

/** The request as it is does not fit the engine. Answered as 400 with this code. */
export class RequestRefused extends Error {
  readonly code: 'context_length_exceeded' | 'invalid_request'

  constructor(code: RequestRefused['code'], message: string) {
    super(message)
    this.name = 'RequestRefused'
    this.code = code
  }
}

/** The request may be fine, but the engine has not answered it. Answered with this status. */
export class EngineFailed extends Error {
  readonly status: 429 | 502 | 503
  readonly retryAfterSeconds: number | undefined

  constructor(status: EngineFailed['status'], message: string, retryAfterSeconds?: number) {
    super(message)
    this.name = 'EngineFailed'
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** What all engines are told when they are opened. */
export interface EngineOptions {
  contextTokens: number
  parallel: number
  /** Speculative decoding with the model's own draft layers. */
  mtp?: boolean
  threads?: number | undefined
  gpuLayers?: number | undefined
  /** Aborts when the operator does not want to wait for it any more. */
  signal?: AbortSignal
  /** Tells the operator about progress. */
  say(text: string): void
}
