import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { OpenSpan, SpanFacts, TracedProgram, Tracing, TracingOptions } from './tracing.ts'

/** Beyond this, spans are dropped: a collector that hangs must not take memory. About 2 MB. */
const maxWaitingSpans = 2_048
const exportEveryMs = 1_000
/** A request to a collector that hangs ends before its batch is given up: until then, all others would be refused. */
const requestTimeoutMs = 4_000
const exportTimeoutMs = 6_000
/** How long a program that stops waits for its last spans to be sent. */
const stopTimeoutMs = 1_500
const longestValue = 200

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT }

interface Known extends OpenSpan {
  readonly context: Context
  isOpen(): boolean
}

/**
 * Nothing is registered globally: two programs in one process have a tracing each. The span that is open around a caller is
 * kept in a storage of our own, because timers and queues of a room outlive the request that made them: once it has ended,
 * what they do is not part of it.
 */
export function createOtlpTracing(options: TracingOptions, program: TracedProgram): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': program.service,
      'service.version': program.version,
      ...(program.instance !== undefined && { 'service.instance.id': program.instance }),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.share) }),
    spanLimits: { attributeValueLengthLimit: longestValue },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportingTrouble(createExporter(options), program.onTrouble),
        maxQueueSize: maxWaitingSpans,
        scheduledDelayMillis: exportEveryMs,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  })
  const tracer = provider.getTracer('atrium', program.version)
  const around = new AsyncLocalStorage<Known>()
  const known = new WeakMap<OpenSpan, Known>()
  const current = (): Known | undefined => {
    const span = around.getStore()
    return span?.isOpen() ? span : undefined
  }

  return {
    start(name, { kind, facts = {}, parent, isRoot = false } = {}) {
      const remote = parent === undefined ? undefined : parseTraceparent(parent)
      const above = isRoot
        ? ROOT_CONTEXT
        : remote
          ? trace.setSpanContext(ROOT_CONTEXT, remote)
          : (current()?.context ?? ROOT_CONTEXT)
      const spanKind = kind === undefined ? SpanKind.INTERNAL : kinds[kind]
      const span = asKnown(tracer.startSpan(name, { kind: spanKind, attributes: facts }, above), above)
      known.set(span, span)
      return span
    },
    within: (span, run) => {
      const own = known.get(span)
      return own ? around.run(own, run) : run()
    },
    isWithin: () => current() !== undefined,
    async stop() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, stopTimeoutMs).unref())
      // Safe: whatever could not be sent has been reported, and the program is stopping.
      await Promise.race([provider.shutdown().catch(() => undefined), late])
    },
  }
}

function asKnown(span: Span, above: Context): Known {
  const { traceId, spanId, traceFlags } = span.spanContext()
  let isOpen = true
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`,
    context: trace.setSpan(above, span),
    isOpen: () => isOpen,
    add: (facts: SpanFacts) => void span.setAttributes(facts),
    end(failure) {
      isOpen = false
      if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
      span.end()
    },
  }
}

/** W3C Trace Context, version 00. Ids of zeros mean that there is none. */
function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
}

const createExporter = ({ endpoint, headers }: TracingOptions): SpanExporter =>
  new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers,
    timeoutMillis: requestTimeoutMs,
    // The processor sends one batch after the other, but begins the next just before the exporter forgets the last.
    concurrencyLimit: 2,
  })

/** Says once that exporting fails, and once that it works again: a line for every batch would fill the log. */
function reportingTrouble(exporter: SpanExporter, onTrouble: TracedProgram['onTrouble']): SpanExporter {
  let isInTrouble = false
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined || result.code !== 0
        if (hasFailed !== isInTrouble)
          onTrouble(hasFailed ? (result.error ?? new Error('the export failed')) : undefined)
        isInTrouble = hasFailed
        onResult(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}
