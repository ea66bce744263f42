import { modelServerPaths } from '@atrium/agent-protocol'
import { Misuse } from '../misuse.ts'
import { type StatusOptions, statusOf } from './status-of.ts'

export const publicAnswerLimitMs = 90_000
const pauseMs = 1_000

/** Waits until our server says 401 through the public address; Cloudflare's own error pages have other statuses. */
export async function waitForPublicAnswer(
  address: string,
  { lastOutput, ...options }: StatusOptions & { lastOutput: () => string },
): Promise<void> {
  const { clock, signal } = options
  const deadline = clock.now() + publicAnswerLimitMs
  while (true) {
    const status = await statusOf(`${address}/v1${modelServerPaths.models}`, options)
    if (status === 401) return
    if (clock.now() >= deadline)
      throw new Misuse(
        `${address} does not lead to the server within ${publicAnswerLimitMs / 1_000} s (last answer: ${status}).${lastOutput()} Check that the server is still running and that nothing here blocks trycloudflare.com, and try again.`,
      )
    await new Promise<void>((resolve) => void clock.after(pauseMs, resolve))
    signal.throwIfAborted()
  }
}
