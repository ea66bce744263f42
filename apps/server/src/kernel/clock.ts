/** The only source of time. Rules take `now` as an argument; whoever calls them asks a clock. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

const readings = 5

/**
 * The time of the database that all instances share, so that one whose own clock is wrong decides nothing wrongly.
 * Between readings it runs by a clock that nobody can set.
 */
export async function createSharedClock(
  readTime: () => Promise<number>,
): Promise<Clock & { read(): Promise<void> }> {
  let ahead = 0
  async function read(): Promise<void> {
    let quickestMs = Number.POSITIVE_INFINITY
    for (let reading = 0; reading < readings; reading++) {
      const askedAt = performance.now()
      const time = await readTime()
      const tookMs = performance.now() - askedAt
      // Answered somewhere between asking and hearing; of the quickest answer one knows best when.
      if (tookMs < quickestMs) ahead = time - askedAt - tookMs / 2
      quickestMs = Math.min(quickestMs, tookMs)
    }
  }
  await read()
  return { now: () => Math.round(performance.now() + ahead), read }
}
