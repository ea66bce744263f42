export interface Breaker {
  /**
   * Whether to call now. After the pause one caller may try; the others are refused at once. `trialMs`: how long this
   * caller waits for an answer, if it differs from the others.
   */
  mayAsk(now: number, trialMs?: number): boolean
  answered(): void
  stayedSilent(now: number): void
  /** A call was given up by its caller, which says nothing about the partner. If it was the trial, the next may try. */
  released(): void
}

/**
 * A circuit breaker for a partner that does not answer: otherwise every caller would wait for its full time-out. It
 * pauses for `restMs`; a trial counts as lost after `trialMs`.
 */
export function createBreaker({ restMs, ...deps }: { restMs: number; trialMs: number }): Breaker {
  let isOpen = false
  let isTrying = false
  let quietUntil = 0
  return {
    mayAsk(now, trialMs = deps.trialMs) {
      if (!isOpen) return true
      if (now < quietUntil) return false
      isTrying = true
      quietUntil = now + trialMs
      return true
    },
    answered() {
      isOpen = false
      isTrying = false
    },
    stayedSilent(now) {
      isOpen = true
      isTrying = false
      quietUntil = now + restMs
    },
    released() {
      if (isTrying) quietUntil = 0
      isTrying = false
    },
  }
}
