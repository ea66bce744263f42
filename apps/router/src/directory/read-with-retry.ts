const attempts = 4
const betweenMs = 250

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Reads once more when Redis does not answer and nothing is cached to fall back on: a participant would rather wait a
 * moment than be refused because this process, or Redis, got no processor for a quarter of a second.
 */
export async function readWithRetry<T>(read: () => Promise<T>, wait = pause): Promise<T> {
  for (let attempt = 1; attempt < attempts; attempt++)
    try {
      return await read()
    } catch {
      await wait(betweenMs)
    }
  return await read()
}
