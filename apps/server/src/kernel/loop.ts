export interface Loop {
  start(): void
  stop(): void
  isStopped(): boolean
}

/**
 * Runs `work` again and again, each time `everyMs` after the previous run has ended, so that runs never overlap. A
 * failed run is reported and the next one comes as usual. The timer does not keep the process alive.
 */
export function createLoop(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Loop {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  function runLater(): void {
    if (isStopped) return
    timer = setTimeout(() => void work().catch(onError).finally(runLater), everyMs)
    timer.unref()
  }
  return {
    start: runLater,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
    isStopped: () => isStopped,
  }
}
