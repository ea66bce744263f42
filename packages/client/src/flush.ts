import type { Clock } from './clock.ts'
import { NotSafe, type Stopped } from './errors.ts'
import type { Safety } from './safety.ts'

export interface FlushDeps {
  clock: Clock
  onSafety(listener: (safety: Safety) => void): () => void
  /** Set once nothing more will be sent, so that waiting is pointless. */
  stopped(): Stopped | undefined
}

/** Resolves when nothing is pending; rejects with NotSafe when time is up or nothing more will be sent. */
export function untilSafe({ clock, onSafety, stopped }: FlushDeps, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopListening = (): void => undefined
    let isTimeUp = false
    const callOff = clock.after(timeoutMs, () => {
      isTimeUp = true
      check(latest)
    })
    let latest: Safety = { pending: 0, quarantined: 0, isOnline: true, lastError: undefined }
    const check = (safety: Safety): void => {
      latest = safety
      const isOver = isTimeUp || stopped() !== undefined
      if (safety.pending > 0 && !isOver) return
      callOff()
      // The first check runs while the listener is still being added.
      queueMicrotask(() => stopListening())
      if (safety.pending === 0) resolve()
      else reject(new NotSafe(safety.pending, safety.quarantined, stopped() ?? safety.lastError))
    }
    stopListening = onSafety(check)
  })
}
