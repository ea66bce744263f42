import type { MetricSample, SystemInstance } from '@atrium/contract'

export type SampledMetric = Exclude<keyof MetricSample, 'at'>

export interface Point {
  at: number
  /** Null: there was nothing to measure. */
  value: number | null
}

export interface MetricLine {
  podId: string
  points: Point[]
  now: number | null
  max: number | null
}

const perMinute: ReadonlySet<SampledMetric> = new Set(['httpRequests', 'disconnects'])

/** The values of a metric on each instance. Increases are given per minute: samples may be further apart than usual. */
export const metricLines = (instances: readonly SystemInstance[], metric: SampledMetric): MetricLine[] =>
  instances.map(({ podId, samples }) => {
    const points = samples.map((sample, index): Point => {
      const value = sample[metric]
      const before = samples[index - 1]
      if (value === null || !perMinute.has(metric)) return { at: sample.at, value }
      return { at: sample.at, value: before ? (value * 60_000) / Math.max(1, sample.at - before.at) : null }
    })
    const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
    return {
      podId,
      points,
      now: points.at(-1)?.value ?? null,
      max: values.length ? Math.max(...values) : null,
    }
  })

/** From the first to the last sample of any instance; undefined with fewer than two. */
export function sampledSpan(instances: readonly SystemInstance[]): { from: number; to: number } | undefined {
  const times = instances.flatMap(({ samples }) => samples.map(({ at }) => at))
  const [from, to] = [Math.min(...times), Math.max(...times)]
  return to > from ? { from, to } : undefined
}

interface Box {
  width: number
  height: number
  span: { from: number; to: number }
  max: number
}

/** As the path of an SVG, interrupted where there is no value. A value between two gaps is a short dash. */
export function pathOf(points: readonly Point[], { width, height, span, max }: Box): string {
  const place = (at: number, value: number) => {
    const x = ((at - span.from) / (span.to - span.from)) * width
    const y = height - (max === 0 ? 0 : (value / max) * height)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  }
  let isDown = false
  return points
    .flatMap(({ at, value }) => {
      const wasDown = isDown
      isDown = value !== null
      if (value === null) return []
      return wasDown ? [`L${place(at, value)}`] : [`M${place(at, value)}h1`]
    })
    .join('')
}
