import type { Clock } from '@atrium/model-checks'

/** Long for a server that only has to say no. */
const limitMs = 15_000

export interface StatusOptions {
  fetch: typeof globalThis.fetch
  clock: Clock
  signal: AbortSignal
  apiKey?: string | undefined
  body?: string
}

/** The status of one request, or in words why there is none. The body of the answer is not read. */
export async function statusOf(
  address: string,
  { fetch, clock, signal, apiKey, body }: StatusOptions,
): Promise<number | string> {
  const limit = new AbortController()
  const cancel = clock.after(limitMs, () => limit.abort())
  try {
    const response = await fetch(address, {
      ...(body !== undefined && { method: 'POST', body }),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit.signal]),
    })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    signal.throwIfAborted()
    if (limit.signal.aborted) return `nothing within ${limitMs / 1_000} s`
    const cause = error instanceof Error ? error.cause : undefined
    if (!(cause instanceof Error)) return String(error)
    return 'code' in cause ? String(cause.code) : cause.message
  } finally {
    cancel()
  }
}
