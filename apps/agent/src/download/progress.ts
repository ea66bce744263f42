import { inGigabytes } from '../hardware/index.ts'
import type { DownloadProgress } from './download-options.ts'

interface ProgressOptions {
  isTerminal: boolean
  what: string
  now(): number
  /** On a terminal it overwrites what was shown before. */
  show(text: string): void
}

/** How often the line on a terminal changes. */
const refreshMs = 200

/** Shows how far a download is: often on a terminal, elsewhere every ten per cent. */
export function createDownloadProgress(options: ProgressOptions): (progress: DownloadProgress) => void {
  const { isTerminal, what, now, show } = options
  let startedAtMs: number | undefined
  let shownAtMs = Number.NEGATIVE_INFINITY
  let shownTenth = -1
  return (progress) => {
    const at = now()
    startedAtMs ??= at
    const { receivedBytes, totalBytes } = progress
    const tenth = totalBytes === 0 ? 10 : Math.floor((10 * receivedBytes) / totalBytes)
    const isDue = isTerminal
      ? receivedBytes === totalBytes || at - shownAtMs >= refreshMs
      : tenth > shownTenth
    if (!isDue) return
    shownAtMs = at
    shownTenth = tenth
    show(`${what}: ${describe(progress, at - startedAtMs)}`)
  }
}

function describe(
  { receivedBytes, totalBytes, startedAtBytes }: DownloadProgress,
  elapsedMs: number,
): string {
  const percent = totalBytes === 0 ? 100 : Math.floor((100 * receivedBytes) / totalBytes)
  const done = `${percent} % of ${inGigabytes(totalBytes)}`
  const rate = elapsedMs < 1_000 ? 0 : ((receivedBytes - startedAtBytes) / elapsedMs) * 1_000
  if (rate <= 0 || receivedBytes === totalBytes) return done
  return `${done}, ${inGigabytes(rate)}/s, ${inWords((totalBytes - receivedBytes) / rate)} left`
}

function inWords(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} min`
  return `${(seconds / 3_600).toFixed(1)} h`
}
