/** How much of a file had been sent at a time. */
export interface Sample {
  atMs: number
  sentBytes: number
}

/** Long enough to even out the bursts of a connection, and short enough to follow its changes. */
const windowMs = 8_000

/** Adds a sample and forgets those that no longer count; the newest of these is kept as the start of the window. */
export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  // A part that is sent again takes back what was counted of it, so older samples no longer compare.
  const comparable = samples.at(-1) && (samples.at(-1)?.sentBytes ?? 0) > sample.sentBytes ? [] : samples
  const start = comparable.findLastIndex(({ atMs }) => atMs <= sample.atMs - windowMs)
  return [...comparable.slice(Math.max(0, start)), sample]
}

/** Bytes per second of late; undefined while it is too early to say. It falls to 0 when nothing is sent any more. */
export function rateOf(samples: readonly Sample[], nowMs: number): number | undefined {
  const inWindow = samples.slice(
    Math.max(
      0,
      samples.findLastIndex(({ atMs }) => atMs <= nowMs - windowMs),
    ),
  )
  const [first] = inWindow
  const last = inWindow.at(-1)
  if (!first || !last || nowMs - first.atMs < 1_000) return undefined
  return ((last.sentBytes - first.sentBytes) / (nowMs - first.atMs)) * 1_000
}

/** Undefined while the rate is unknown or nothing is sent. */
export const remainingMs = (leftBytes: number, bytesPerSecond: number | undefined): number | undefined =>
  bytesPerSecond === undefined || bytesPerSecond <= 0 ? undefined : (leftBytes / bytesPerSecond) * 1_000
