/** Passed in, so that tests can let minutes pass at once. */
export interface Clock {
  /** Milliseconds since any fixed moment; never goes back. */
  now(): number
  /** Runs `action` after `ms`, unless the returned function is called before. */
  after(ms: number, action: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms)
    return () => clearTimeout(timer)
  },
}
