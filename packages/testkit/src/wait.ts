import { setTimeout as delay } from 'node:timers/promises'

/** Generous, because only a failing test waits this long: a busy machine must not cause failures (R41). */
const defaultTimeoutMs = 240_000
const defaultPollMs = 20

export interface WaitOptions {
  timeoutMs?: number
  /** How often to check. Raise it if checks count against a rate limit. */
  everyMs?: number
}

const timeIsUp = Symbol('time is up')

/**
 * Polls until `check` returns true. A string is the reason why not yet; the last one becomes the error when time runs
 * out. A check that throws counts as "not yet" too, because what it looks at may still be starting.
 */
export async function waitUntil(
  check: () => Promise<true | string> | true | string,
  { timeoutMs = defaultTimeoutMs, everyMs = defaultPollMs }: WaitOptions = {},
): Promise<void> {
  const finished = new AbortController()
  // One timer alone says when time is up. Beside a clock, it could fire just before the clock's deadline.
  const timeout = delay(timeoutMs, timeIsUp, { signal: finished.signal })
  timeout.catch(() => undefined) // Aborted below.
  const giveUp = (reason: string) => new Error(`not within ${timeoutMs} ms: ${reason}`)
  let before = ''
  try {
    while (true) {
      // A check that hangs, for example on a paused database, must not outlive the timeout either.
      const result = await Promise.race([resultOf(check), timeout])
      if (result === true) return
      if (result === timeIsUp) throw giveUp(`the check itself did not answer${before}`)
      if ((await Promise.race([delay(everyMs), timeout])) === timeIsUp) throw giveUp(result)
      // Why the check before it failed says more than that the last one was cut short.
      before = `; before that: ${result}`
    }
  } finally {
    finished.abort()
  }
}

async function resultOf(check: () => Promise<true | string> | true | string): Promise<true | string> {
  try {
    return await check()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * A pause between two actions of a simulated person or client. Nothing may depend on its length: to learn that something
 * has happened, use `waitUntil` (R41).
 */
export const pace = async (ms: number): Promise<void> => {
  await delay(ms)
}
