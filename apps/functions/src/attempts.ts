/** The contract: failed deliveries are tried three times, events no older than an hour. */
const maxAttempts = 3
export const oldestEventMs = 3_600_000

/** A function has a minute or so; a server that restarts needs a few seconds. */
const firstPauseMs = 1_000
const pauseFactor = 4

export type Wait = (ms: number) => Promise<void>

/** Calls `work` until it succeeds, at most three times, with a longer pause each time. Rejects with its last error. */
export async function withAttempts<Result>(wait: Wait, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === maxAttempts) throw error
      await wait(firstPauseMs * pauseFactor ** (attempt - 1))
    }
  }
}
