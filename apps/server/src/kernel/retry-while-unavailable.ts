import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from './app-error.ts'

const attempts = 30
const pauseMs = 1_000

/**
 * Asks again while the service is unavailable, for half a minute or more. For work that has begun and that nobody awaits by
 * the second: a database that stands still for two seconds must not cost somebody an export of an hour.
 */
export async function retryWhileUnavailable<Answer>(
  ask: () => Promise<Answer>,
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++)
    try {
      return await ask()
    } catch (error) {
      if (!isUnavailable(error) || attempt >= attempts) throw error
      await wait(pauseMs)
    }
}
