import type { MetricSample } from '@atrium/contract'
import { type MetricDeclaration, metrics } from '@atrium/monitoring'
import type { Registry } from 'prom-client'

type Sampled = Exclude<keyof MetricSample, 'at' | 'memoryBytes'>

const names = [
  'httpRequests',
  'httpRequestDuration',
  'activeExperiments',
  'syncAccuracy',
  'connectedClients',
  'disconnects',
] as const satisfies readonly Sampled[]

interface Sums {
  total: number
  /** How many values a histogram has. */
  count: number
}

/** Each call returns the gauges as they are, and what the counters and histograms have gained since the last call. */
export function createMetricSampler(registry: Registry) {
  let before = new Map<string, Sums>()
  return async (): Promise<Record<Sampled, number | null>> => {
    const now = new Map<string, Sums>()
    for (const key of names) now.set(key, await sumsOf(registry, metrics[key]))
    const sampled = (key: Sampled): number | null => {
      const [sums, former] = [now.get(key), before.get(key)]
      if (!sums) return null
      if (metrics[key].kind === 'gauge') return sums.total
      if (!former) return null
      const gained = sums.total - former.total
      if (metrics[key].kind === 'counter') return gained
      const count = sums.count - former.count
      return count === 0 ? null : gained / count
    }
    const values = Object.fromEntries(names.map((key) => [key, sampled(key)])) as Record<
      Sampled,
      number | null
    >
    before = now
    return values
  }
}

async function sumsOf(registry: Registry, { name, kind }: MetricDeclaration): Promise<Sums> {
  const sums = { total: 0, count: 0 }
  const found = await registry.getSingleMetric(name)?.get()
  // With histograms, `metricName` tells the sum and the count from the buckets.
  for (const { value, metricName } of (found?.values ?? []) as { value: number; metricName?: string }[])
    if (kind !== 'histogram' || metricName === `${name}_sum`) sums.total += value
    else if (metricName === `${name}_count`) sums.count += value
  return sums
}
