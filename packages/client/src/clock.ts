/** The client's clock. Tests pass their own, so that no test waits for a back-off. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Calls `act` after `delayMs`; the returned function cancels it. */
  after(delayMs: number, act: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs)
    return () => clearTimeout(timer)
  },
}

/** What may end a rest early, from weakest to strongest: a call also ends every rest that a weaker one would. */
const strengths = { news: 1, hurry: 2, close: 3 } as const
export type Call = keyof typeof strengths

/** The rests of one loop, which rests at most once at a time. A call that arrives while it works is not lost. */
export function createRests(clock: Clock) {
  let called = 0
  let present: { endsOn: number; end: () => void } | undefined

  return {
    /** Ends the current rest if the call is strong enough, otherwise the next one for which it is. */
    call(call: Call): void {
      called = Math.max(called, strengths[call])
      if (present && called >= present.endsOn) present.end()
    },
    async rest(delayMs: number, endsOn: Call): Promise<void> {
      if (called < strengths[endsOn])
        await new Promise<void>((resolve) => {
          // An endless rest needs no timer, which would keep alive a program that has nothing more to do.
          const callOff =
            delayMs === Number.POSITIVE_INFINITY ? () => undefined : clock.after(delayMs, resolve)
          present = {
            endsOn: strengths[endsOn],
            end: () => {
              callOff()
              resolve()
            },
          }
        })
      present = undefined
      // Closing is permanent; any other call has served its purpose now.
      if (called < strengths.close) called = 0
    },
  }
}
