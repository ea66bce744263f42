import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

/** Proxies give up on a response that does not begin within a minute or so. */
const spaceEveryMs = 15_000

interface LongWork {
  result: Promise<object>
  /** Nobody waits for the result any more. */
  abandon(): void
}

/** The response, as far as it is needed to see that the caller has hung up. */
interface Reply {
  raw: { readonly destroyed: boolean; once(event: 'close', listener: () => void): unknown }
}

/** The body of a reply that takes minutes. The work is abandoned when the caller hangs up. */
export function keepAliveJson({ raw }: Reply, { result, abandon }: LongWork): Readable {
  // They may have hung up while we looked up who they are; that event does not come again.
  if (raw.destroyed) abandon()
  // Not when the body is closed: its generator first waits for the next space.
  else raw.once('close', abandon)
  return Readable.from(spacesThenJson(result))
}

/** JSON may begin with white space, so that something arrives while the result is being made. */
async function* spacesThenJson(result: Promise<object>): AsyncGenerator<string> {
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
