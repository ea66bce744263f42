import { UnusableSource } from '../../ports/transcoder.ts'
import { Stalled } from './failures.ts'

export interface StallWatch {
  /** Aborted once nothing has moved for too long. */
  readonly signal: AbortSignal
  /** Something has moved. */
  touch(): void
  end(): void
}

/** A video may take hours, so that there is no limit to the whole, only to standing still. */
export function startStallWatch(stallMs: number): StallWatch {
  const controller = new AbortController()
  const stalled = () =>
    controller.abort(
      new Stalled(
        `Transcoding was stopped because nothing had moved for ${Math.round(stallMs / 1000)} seconds.`,
      ),
    )
  const timer = setTimeout(stalled, stallMs)
  return { signal: controller.signal, touch: () => void timer.refresh(), end: () => clearTimeout(timer) }
}

const maxStalls = 3
/** Far more than there are at a time; whoever is forgotten is only tried a few times more. */
const maxRemembered = 1_000

/**
 * Counts how often an original has brought the programs that inspect it to a stop. Each time takes minutes and one of few
 * places, and whoever uploads would try again for ever.
 */
export function createProbeStalls() {
  const stalls = new Map<string, number>()

  return {
    passed: (storageKey: string): void => void stalls.delete(storageKey),

    /** What a failure of the inspection means: the failure itself, or that there have been too many. */
    judge(storageKey: string, failure: unknown): unknown {
      if (!(failure instanceof Stalled)) return failure
      const count = (stalls.get(storageKey) ?? 0) + 1
      stalls.delete(storageKey)
      if (count >= maxStalls)
        return new UnusableSource(
          'Reading this video came to a stop three times. It is probably damaged. Please export it again as MP4 (H.264) and upload it.',
        )
      stalls.set(storageKey, count)
      const [oldest] = stalls.keys()
      if (stalls.size > maxRemembered && oldest !== undefined) stalls.delete(oldest)
      return failure
    },
  }
}
