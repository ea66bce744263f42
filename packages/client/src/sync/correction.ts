/** How a player gets back into step. Pure; drift is the player's position minus the room's, in milliseconds. */

/**
 * Two people who watch the same video do not notice 40 ms, and correcting little would only unsettle the sound. This is
 * less, because drift is measured with the jitter of frames: with 40, one frame in twenty was 49 ms off.
 */
const tolerableMs = 25
/** Once corrected, it is corrected well, or the next correction would soon follow. */
const alignedMs = 10
/** A jump is seen and heard: what can be nudged away within five seconds is nudged. */
const jumpBeyondMs = 250
/** Beyond this, nudging takes longer (20 s) than people want to wait, however badly this device seeks. */
export const seekBeyondMs = 1_000
/** Nobody hears a change of 5 % while the pitch is preserved. */
const maxNudge = 0.05
/** The drift would be gone after this long, so that a throttled tab, which looks once a second, does not overshoot. */
const nudgeOverMs = 1_000
/** Playback needs this long after a start or a seek before its drift means something. */
export const settleMs = 350

/** How starting and seeking go on this device, learnt from how far off they left the player. */
export interface Latencies {
  readonly startMs: number
  /** Whether it has been seen to start. */
  readonly hasStarted: boolean
  readonly seekMs: number
  /** How far off a seek leaves the player, in spite of what is known about its latency. */
  readonly seekOffMs: number
  /** The last few, newest last. */
  readonly seeks: readonly { tookMs: number; offMs: number }[]
}

/** Typical of a desktop browser with the data at hand. */
export const usualLatencies: Latencies = {
  startMs: 80,
  hasStarted: false,
  seekMs: 120,
  seekOffMs: 100,
  seeks: [],
}
/** So few that news counts soon, and enough that one seek during which the line was dead counts little. */
const rememberedSeeks = 3
const longestMs = 3_000

/** What playbacks on one page learn, for the next video as well. */
export interface Device {
  latencies: Latencies
}

export const unknownDevice = (): Device => ({ latencies: usualLatencies })

type Correction = { kind: 'none' } | { kind: 'nudge'; factor: number } | { kind: 'seek' }

export interface Circumstances {
  /** A correction is under way, or playback has just begun. */
  isAligning: boolean
  /** The last seek is long enough ago. */
  maySeek: boolean
  latencies: Latencies
}

export function correctionFor(
  driftMs: number,
  { isAligning, maySeek, latencies }: Circumstances,
): Correction {
  const offMs = Math.abs(driftMs)
  if (maySeek && isSeekBetter(offMs, latencies)) return { kind: 'seek' }
  if (offMs <= (isAligning ? alignedMs : tolerableMs)) return { kind: 'none' }
  // In few steps: each change of the rate disturbs the sound a little.
  const share = Math.min(maxNudge, Math.ceil((offMs / nudgeOverMs) * 200) / 200)
  return { kind: 'nudge', factor: 1 - Math.sign(driftMs) * share }
}

/** Whether a seek, and nudging away what it leaves, is over sooner than nudging alone. */
function isSeekBetter(offMs: number, { seekMs, seekOffMs }: Latencies): boolean {
  if (offMs > seekBeyondMs) return true
  return offMs > jumpBeyondMs && seekMs + settleMs + seekOffMs / maxNudge < offMs / maxNudge
}

/** Whether the last seek has helped: what is left needs no other one. */
export const isWithinNudge = (driftMs: number): boolean => Math.abs(driftMs) <= jumpBeyondMs

/** What a rehearsal has shown about starting. */
export const withStart = (latencies: Latencies, startMs: number): Latencies => ({
  ...latencies,
  startMs: withinLimits(startMs),
  hasStarted: true,
})

/** A player that is behind needed longer than expected. */
export function learnt(
  latencies: Latencies,
  kind: 'startMs' | 'seekMs',
  driftMs: number,
  rate: number,
): Latencies {
  const observedMs = withinLimits(latencies[kind] - driftMs / rate)
  if (kind === 'seekMs') return withSeek(latencies, { tookMs: observedMs, offMs: Math.abs(driftMs) })
  // Half of the news counts, because a single start may be unusual; the first one replaces what was only assumed.
  return withStart(latencies, latencies.hasStarted ? (latencies.startMs + observedMs) / 2 : observedMs)
}

function withSeek(latencies: Latencies, seek: Latencies['seeks'][number]): Latencies {
  const seeks = [...latencies.seeks, seek].slice(-rememberedSeeks)
  const seekMs = middleOf(seeks.map(({ tookMs }) => tookMs))
  // The first one was compared with an assumption, and says nothing yet about how much seeks differ.
  const isFirst = latencies.seeks.length === 0
  const seekOffMs = isFirst ? latencies.seekOffMs : middleOf(seeks.map(({ offMs }) => offMs))
  return { ...latencies, seeks, seekMs, seekOffMs }
}

/** The lower one of two. */
const middleOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0

const withinLimits = (ms: number): number => Math.min(longestMs, Math.max(0, ms))

const firstPauseMs = 2_000
const longestPauseMs = 30_000

/**
 * How long after its n-th seek in a row that did not help a player waits before the next one. A device too slow for the
 * video would otherwise do nothing but seek.
 */
export const seekPauseMs = (seeksInRow: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(10, Math.max(0, seeksInRow - 1)))
