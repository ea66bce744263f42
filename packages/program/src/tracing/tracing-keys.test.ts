import { expect, test } from 'vitest'
import { readKeys } from '../keys.ts'
import { tracingKeys, tracingOf } from './tracing-keys.ts'

const read = (env: Record<string, string>) => tracingOf(readKeys(tracingKeys, env))
const endpoint = 'http://127.0.0.1:4318'

test('without a collector there are no traces, whatever else is set', () => {
  expect(read({ OTEL_TRACES_SAMPLER_ARG: '0.5' })).toBeUndefined()
})

test('a collector gets everything by default, with the given headers', () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  expect(read(env)).toEqual({ endpoint, headers: {}, share: 1 })
  const more = { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, other=1=2', OTEL_TRACES_SAMPLER_ARG: '0.05' }
  expect(read({ ...env, ...more })).toEqual({
    endpoint,
    headers: { 'x-key': 'a b', other: '1=2' },
    share: 0.05,
  })
})

test('what is wrong is refused by its key, and headers are never quoted', () => {
  for (const share of ['1.5', '-1', 'half', '0.'])
    expect(() => read({ OTEL_TRACES_SAMPLER_ARG: share })).toThrow(/OTEL_TRACES_SAMPLER_ARG must be a number/)
  for (const wrong of ['ftp://x', 'collector:4318'])
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: wrong })).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT/)
  for (const wrong of ['secret', 'a=%zz', 'a b=c']) {
    const reading = () => read({ OTEL_EXPORTER_OTLP_HEADERS: wrong })
    expect(reading).toThrow(/OTEL_EXPORTER_OTLP_HEADERS must be/)
    expect(reading).not.toThrow(wrong)
  }
})
