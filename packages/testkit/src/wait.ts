import { setTimeout as delay } from 'node:timers/promises'

/** Generous, because only a failing test waits this long: a busy machine must not cause failures (R41). */
const defaultTimeoutMs = 240_000
const defaultPollMs = 20

export interface WaitOptions {
  timeoutMs?: number
  /** How often to check. Raise it if checks count against a rate limit. */
  everyMs?: number
}

/**
 * Polls until `check` returns true. A string is the reason why not yet; the last one becomes the error when time runs
 * out. A check that throws counts as "not yet" too, because what it looks at may still be starting.
 */
export async function waitUntil(
  check: () => Promise<true | string> | true | string,
  { timeoutMs = defaultTimeoutMs, everyMs = defaultPollMs }: WaitOptions = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  let before = ''
  while (true) {
    const result = await resultOf(check, Math.max(1, deadline - performance.now()))
    if (result === true) return
    // The last check is cut short at the deadline: why the one before it failed says more.
    if (performance.now() >= deadline) throw new Error(`not within ${timeoutMs} ms: ${result}${before}`)
    before = `; before that: ${result}`
    await delay(everyMs)
  }
}

/** A check that hangs, for example on a paused database, must not outlive the timeout either. */
async function resultOf(
  check: () => Promise<true | string> | true | string,
  withinMs: number,
): Promise<true | string> {
  const timer = new AbortController()
  const tooSlow = delay(withinMs, 'the check itself did not answer', { signal: timer.signal })
  tooSlow.catch(() => undefined) // Aborted below, once the check has returned.
  try {
    return await Promise.race([(async () => check())(), tooSlow])
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    timer.abort()
  }
}

/**
 * A pause between two actions of a simulated person or client. Nothing may depend on its length: to learn that something
 * has happened, use `waitUntil` (R41).
 */
export const pace = async (ms: number): Promise<void> => {
  await delay(ms)
}
