/** Browsers round their clock, some to a tenth of a millisecond, some to a whole one or more. */
const mostSteps = 30
const longestLookMs = 40

/** The smallest step of the page's clock, found by looking at it; 0 if it never moved. */
export function measureClockStep(now: () => number): number {
  const startedAt = now()
  let last = startedAt
  let smallest = Number.POSITIVE_INFINITY
  for (let steps = 0; steps < mostSteps && last - startedAt < longestLookMs; ) {
    const next = now()
    if (next === last) continue
    smallest = Math.min(smallest, next - last)
    last = next
    steps++
  }
  return Number.isFinite(smallest) ? Math.round(smallest * 1_000) / 1_000 : 0
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 1_000) / 1_000
}
