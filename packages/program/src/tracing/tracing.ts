/**
 * What a span says about itself: names of routes, actions and stores, numbers, outcomes. Never what people wrote, tokens,
 * ids of sessions, or addresses.
 */
export type SpanFacts = Record<string, string | number | boolean>

export interface SpanOptions {
  /** `server`: answers a request; `client`: asks another program; a step of our own if absent. */
  kind?: 'server' | 'client'
  facts?: SpanFacts
  /** The `traceparent` that a request brought. What is not well-formed is ignored. */
  parent?: string | undefined
  /** Begins a trace of its own, wherever it is called. */
  isRoot?: boolean
}

export interface OpenSpan {
  readonly traceId: string
  /** For the program that is asked next. */
  readonly traceparent: string
  add(facts: SpanFacts): void
  /** `failure` is a code, never the message of an error, which may quote anything. */
  end(failure?: string): void
}

/** Undefined wherever traces are off, so that nothing is done for them. */
export interface Tracing {
  /** Begins a span below the given parent, or else below the open one within which it is called. */
  start(name: string, options?: SpanOptions): OpenSpan
  /** Spans that begin while this runs are below the given one, until it ends. */
  within<Result>(span: OpenSpan, run: () => Result): Result
  /** Whether a span is open around the caller. */
  isWithin(): boolean
  /** Sends what is left, but does not wait long for it. */
  stop(): Promise<void>
}

export interface TracingOptions {
  /** Where a collector receives OTLP over HTTP; `/v1/traces` is added. */
  endpoint: string
  headers: Record<string, string>
  /** The share of traces that is recorded, unless a parent has decided. */
  share: number
}

export interface TracedProgram {
  service: string
  version: string
  instance?: string
  /** The collector has become unreachable, or is reachable again. */
  onTrouble(error: Error | undefined): void
}
