export interface Breaker {
  /** Whether to ask now. After a rest one caller may try; the others hear at once that it is too early. */
  mayAsk(now: number): boolean
  answered(): void
  stayedSilent(now: number): void
}

/**
 * Stops asking a partner that does not answer: waiting for it costs every caller its whole patience, one after
 * the other. It rests for `restMs`; a try is taken for lost after `trialMs`.
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
