export interface Breaker {
  /** Whether to call now. After the pause one caller may try; the others are refused at once. */
  mayAsk(now: number): boolean
  answered(): void
  stayedSilent(now: number): void
}

/**
 * A circuit breaker for a partner that does not answer: otherwise every caller would wait for its full time-out. It
 * pauses for `restMs`; a trial counts as lost after `trialMs`.
 */
export function createBreaker({ restMs, trialMs }: { restMs: number; trialMs: number }): Breaker {
  let isOpen = false
  let quietUntil = 0
  return {
    mayAsk(now) {
      if (!isOpen) return true
      if (now < quietUntil) return false
      quietUntil = now + trialMs
      return true
    },
    answered() {
      isOpen = false
    },
    stayedSilent(now) {
      isOpen = true
      quietUntil = now + restMs
    },
  }
}
