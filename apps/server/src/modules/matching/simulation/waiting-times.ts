import type { DryRun } from '@atrium/contract'

const bins = 20

/** Nearest rank: each quantile is a time that somebody waited. */
export function summariseWaits(waitsMs: readonly number[]): Pick<DryRun, 'waitMs' | 'histogram'> {
  const sorted = waitsMs.toSorted((a, b) => a - b)
  const max = sorted.at(-1)
  if (max === undefined) return { waitMs: null, histogram: [] }
  const quantile = (part: number) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? max
  const mean = Math.round(sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length)
  return {
    waitMs: { p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99), max, mean },
    histogram: histogramOf(sorted, max),
  }
}

/** Bins of equal width from 0 to the longest wait, which is in the last one. */
function histogramOf(waitsMs: readonly number[], max: number): DryRun['histogram'] {
  const widthMs = Math.max(1, Math.ceil((max + 1) / bins))
  const histogram = Array.from({ length: Math.ceil((max + 1) / widthMs) }, (_, index) => ({
    fromMs: index * widthMs,
    toMs: (index + 1) * widthMs,
    people: 0,
  }))
  for (const ms of waitsMs) {
    const bin = histogram[Math.floor(ms / widthMs)]
    if (bin) bin.people += 1
  }
  return histogram
}
