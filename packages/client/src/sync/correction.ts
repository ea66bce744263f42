/** How a player gets back into step. Pure; drift is the player's position minus the room's, in milliseconds. */

/** Two people who watch the same film do not notice less than this; correcting it would only unsettle the sound. */
const tolerableMs = 40
/** Once corrected, it is corrected well, or the next correction would soon follow. */
const alignedMs = 10
/** Beyond this, nudging takes longer (20 s) than people want to wait. */
export const seekBeyondMs = 1_000
/** Nobody hears a change of 5 % while the pitch is preserved. */
const mostNudge = 0.05
/** The drift would be gone after this long, so that a throttled tab, which looks once a second, does not overshoot. */
const nudgeOverMs = 1_000

type Correction = { kind: 'none' } | { kind: 'nudge'; factor: number } | { kind: 'seek' }

/** `isAligning`: a correction is under way, or playback has just begun. `maySeek`: the last seek is long enough ago. */
export function correctionFor(
  driftMs: number,
  { isAligning, maySeek }: { isAligning: boolean; maySeek: boolean },
): Correction {
  const offMs = Math.abs(driftMs)
  if (offMs > seekBeyondMs && maySeek) return { kind: 'seek' }
  if (offMs <= (isAligning ? alignedMs : tolerableMs)) return { kind: 'none' }
  // In few steps: each change of the rate disturbs the sound a little.
  const share = Math.min(mostNudge, Math.ceil((offMs / nudgeOverMs) * 200) / 200)
  return { kind: 'nudge', factor: 1 - Math.sign(driftMs) * share }
}

/** How long starting and seeking take on this device, learnt from how far off they left the player. */
interface Latencies {
  readonly startMs: number
  readonly seekMs: number
}

/** Typical of a desktop browser with the data at hand. */
export const usualLatencies: Latencies = { startMs: 30, seekMs: 120 }
const longestMs = 3_000

/** A player that is behind needed longer than expected. Half of the news counts, because a single seek may be unusual. */
export function learnt(
  latencies: Latencies,
  kind: keyof Latencies,
  driftMs: number,
  rate: number,
): Latencies {
  const observedMs = latencies[kind] - driftMs / rate
  const mixedMs = (latencies[kind] + Math.min(longestMs, Math.max(0, observedMs))) / 2
  return { ...latencies, [kind]: mixedMs }
}

const firstPauseMs = 2_000
const longestPauseMs = 30_000

/**
 * How long after its n-th seek in a row that did not help a player waits before the next one. A device too slow for the
 * film would otherwise do nothing but seek.
 */
export const seekPauseMs = (seeksInRow: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(10, Math.max(0, seeksInRow - 1)))
