export interface ProgressReports {
  observe(progress: number): void
  stop(): void
}

/** Sends the latest progress every `everyMs` if it has grown. A report that fails is replaced by the next one. */
export function createProgressReports(
  everyMs: number,
  send: (progress: number) => Promise<void>,
): ProgressReports {
  let latest = 0
  let sent = -1
  let isSending = false
  const timer = setInterval(() => {
    if (isSending || latest <= sent) return
    isSending = true
    const progress = latest
    send(progress)
      .then(() => {
        sent = progress
      })
      .catch(() => undefined)
      .finally(() => {
        isSending = false
      })
  }, everyMs)
  timer.unref()
  return {
    observe(progress) {
      if (progress > latest) latest = Math.min(progress, 1)
    },
    stop: () => clearInterval(timer),
  }
}
