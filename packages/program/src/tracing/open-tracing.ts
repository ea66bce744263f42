import type { OpenSpan, SpanOptions, TracedProgram, Tracing, TracingOptions } from './tracing.ts'

/** OpenTelemetry is loaded only if there is a collector: its modules cost every start time and memory. */
export async function openTracing(
  options: TracingOptions | undefined,
  program: TracedProgram,
): Promise<Tracing | undefined> {
  if (options === undefined) return undefined
  const { createOtlpTracing } = await import('./otlp.ts')
  return createOtlpTracing(options, program)
}

/** Does the work in a span of its own; without tracing, just the work. */
export async function inSpan<Result>(
  tracing: Tracing | undefined,
  [name, options]: [name: string, options?: SpanOptions],
  work: (span: OpenSpan | undefined) => Promise<Result>,
): Promise<Result> {
  if (!tracing) return await work(undefined)
  const span = tracing.start(name, options)
  try {
    const result = await tracing.within(span, () => work(span))
    span.end()
    return result
  } catch (error) {
    span.end(failureOf(error))
    throw error
  }
}

/** The code of an error, or else its kind. */
function failureOf(error: unknown): string {
  const { code, name } = error instanceof Error ? (error as Error & { code?: unknown }) : {}
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : (name ?? 'unknown')
}
