import { address, type Key, text, type Values } from '../keys.ts'
import type { TracingOptions } from './tracing.ts'

const group = 'Tracing'

/** Keys of programs that can be traced, with the names that OpenTelemetry gives them. */
export const tracingKeys = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group,
    accepts: URL.canParse,
    schema: address(
      'https?',
      'Collector that receives traces as OTLP over HTTP (`/v1/traces` is added); unset = no traces',
    ),
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    group,
    secret: true,
    accepts: (raw) => headersIn(raw) !== undefined,
    schema: text('Headers for the collector: comma-separated `name=value`', {
      expected: 'a comma-separated list of name=value, where values are percent-encoded',
    }),
  },
  OTEL_TRACES_SAMPLER_ARG: {
    group,
    schema: text('Share of traces that is recorded, from 0 to 1', {
      default: '1',
      pattern: '^(0([.]\\d{1,9})?|1([.]0+)?)$',
      expected: 'a number from 0 to 1',
    }),
  },
} as const satisfies Record<string, Key>

/** Undefined = no traces. */
export function tracingOf(values: Values<typeof tracingKeys>): TracingOptions | undefined {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return undefined
  return {
    endpoint,
    headers: headersIn(values.OTEL_EXPORTER_OTLP_HEADERS ?? '') ?? {},
    share: Number(values.OTEL_TRACES_SAMPLER_ARG),
  }
}

function headersIn(raw: string): Record<string, string> | undefined {
  const pairs = raw
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => /^([\w-]{1,100})\s*=\s*([!-~]*)$/.exec(pair))
  try {
    const headers = pairs.map((pair) => {
      if (!pair) throw new URIError('not a pair')
      return [pair[1] ?? '', decodeURIComponent(pair[2] ?? '')] as const
    })
    return Object.fromEntries(headers)
  } catch {
    return undefined // Not a pair, or not percent-encoded.
  }
}
