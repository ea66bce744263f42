/** The only source of time. Rules take `now` as an argument; whoever calls them asks a clock. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/**
 * The time of the database that all instances share, so that one whose own clock is wrong decides nothing wrongly.
 * Between readings it runs by a clock that nobody can set.
 */
export async function createSharedClock(
  readTime: () => Promise<number>,
): Promise<Clock & { read(): Promise<void> }> {
  let ahead = 0
  async function read(): Promise<void> {
    const askedAt = performance.now()
    const time = await readTime()
    // Answered somewhere between asking and hearing: in the middle, as far as one can know.
    ahead = time - (askedAt + performance.now()) / 2
  }
  await read()
  return { now: () => Math.round(performance.now() + ahead), read }
}
