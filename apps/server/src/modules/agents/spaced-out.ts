import { setTimeout as pause } from 'node:timers/promises'

/** Proxies give up on a response that does not begin within a minute or so. */
const spaceEveryMs = 15_000

/** JSON may begin with white space, so that something arrives while the result is being made. */
export async function* spacedOut(result: Promise<object>): AsyncGenerator<string> {
  for (;;) {
    const timer = new AbortController()
    const next = await Promise.race([result, pause(spaceEveryMs, undefined, timer)])
    timer.abort()
    if (next) {
      yield JSON.stringify(next)
      return
    }
    yield ' '
  }
}
