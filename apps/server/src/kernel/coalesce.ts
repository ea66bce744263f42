/** Runs `work`. Calls during a run share one more run after it. */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const run = (): Promise<void> => {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (!running) return run()
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return run()
      })
    return next
  }
}
