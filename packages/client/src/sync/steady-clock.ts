/** A clock that never jumps, with fractions of a millisecond. Tests pass their own. */
export interface SteadyClock {
  /** Milliseconds since some fixed moment. */
  now(): number
  /** Epoch milliseconds; differs from `now` by a constant unless the computer slept or its clock was set. */
  wall(): number
  /** Calls `act` after `delayMs`; the returned function cancels it. */
  after(delayMs: number, act: () => void): () => void
}

export const steadyClock: SteadyClock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs)
    return () => clearTimeout(timer)
  },
}
