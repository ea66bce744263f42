const longestTimerMs = 2_147_483_647

/** Resolves after so many milliseconds; rejects at once when aborted. Does not keep the process alive. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(Math.max(0, ms), longestTimerMs),
    )
    timer.unref()
    signal.addEventListener('abort', stop, { once: true })
  })
