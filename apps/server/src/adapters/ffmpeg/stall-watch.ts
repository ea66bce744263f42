import { Stalled } from './failures.ts'

export interface StallWatch {
  /** Aborted once nothing has moved for too long. */
  readonly signal: AbortSignal
  /** Something has moved. */
  touch(): void
  end(): void
}

/** A film may take hours, so that there is no limit to the whole, only to standing still. */
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
