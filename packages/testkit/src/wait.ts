import { setTimeout as delay } from 'node:timers/promises'

/** Generous, because it is only ever waited out by a test that fails: a busy machine must not be a failure (R41). */
const usualTimeoutMs = 60_000
const usualPollMs = 20

export interface Patience {
  timeoutMs?: number
  /** How often to ask; raise it where asking itself is counted, as against a rate limit. */
  everyMs?: number
}

/**
 * Polls until `check` says true. Anything else it says is the reason why not yet; the last reason is in the error
 * when time runs out. A check that throws is "not yet" as well: what it looks at may still be starting.
 */
export async function waitUntil(
  check: () => Promise<true | string> | true | string,
  { timeoutMs = usualTimeoutMs, everyMs = usualPollMs }: Patience = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (true) {
    const answer = await answerOf(check, Math.max(1, deadline - performance.now()))
    if (answer === true) return
    if (performance.now() >= deadline) throw new Error(`not within ${timeoutMs} ms: ${answer}`)
    await delay(everyMs)
  }
}

/** A check that hangs (a paused database, say) must not outlive the time-out either. */
async function answerOf(
  check: () => Promise<true | string> | true | string,
  withinMs: number,
): Promise<true | string> {
  const patience = new AbortController()
  const tooSlow = delay(withinMs, 'the check itself did not answer', { signal: patience.signal })
  tooSlow.catch(() => undefined) // Aborted below, once the check has answered.
  try {
    return await Promise.race([(async () => check())(), tooSlow])
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    patience.abort()
  }
}
