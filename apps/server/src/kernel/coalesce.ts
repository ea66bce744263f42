/** Runs `work`. Calls during a run share one more run after it. */
export function coalesced<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  let next: Promise<Result> | undefined
  const run = (): Promise<Result> => {
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
