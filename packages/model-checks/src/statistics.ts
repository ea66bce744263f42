/** Nearest rank: the smallest value that at least `percent` of all values do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length))
  return sorted[rank - 1] ?? 0
}

export const mean = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / values.length

/** A duration as people write it: `840 ms`, `2.4 s`, `75 s`. */
export function formatMs(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`
}

/** For figures: more digits than a tenth would claim a precision that no measurement has. */
export const toTenth = (value: number): number => Math.round(value * 10) / 10
