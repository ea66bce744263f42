/** The only source of time. Rules take `now` as an argument; their callers read a clock. */
export interface Clock {
  now(): number
}

/** The same time with fractions, for those who measure their own clocks against it. */
export interface ExactClock extends Clock {
  exact(): number
}

/** Follows another machine's clock by readings. */
export interface SharedClock extends Clock {
  read(): Promise<void>
}

export const systemClock: Clock = { now: () => Date.now() }

const readings = 5

/**
 * The time of the shared database, so that an instance whose own clock is wrong makes no wrong decisions. Between
 * readings it follows a clock that nobody can set.
 */
export async function createSharedClock(readTime: () => Promise<number>): Promise<SharedClock> {
  let ahead = 0
  async function read(): Promise<void> {
    let quickestMs = Number.POSITIVE_INFINITY
    for (let reading = 0; reading < readings; reading++) {
      const askedAt = performance.now()
      const time = await readTime()
      const tookMs = performance.now() - askedAt
      // The time was read somewhere between request and reply; the fastest reply is the most precise.
      if (tookMs < quickestMs) ahead = time - askedAt - tookMs / 2
      quickestMs = Math.min(quickestMs, tookMs)
    }
  }
  await read()
  return { now: () => Math.round(performance.now() + ahead), read }
}

/** Runs `action` after `ms`, unless the returned function is called before. Passed in, so that tests need not wait. */
export type Schedule = (ms: number, action: () => void) => () => void

export const systemSchedule: Schedule = (ms, action) => {
  const timer = setTimeout(action, ms)
  return () => clearTimeout(timer)
}
