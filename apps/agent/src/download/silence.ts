interface SilenceWatch {
  signal: AbortSignal
  heard(): void
  isSilent(): boolean
  stop(): void
}

/** Aborts when nothing is heard for a while, and when `outer` does. */
export function watchSilence(outer: AbortSignal, silenceMs: number): SilenceWatch {
  const controller = new AbortController()
  const stopped = () => controller.abort(outer.reason)
  let isSilent = false
  const timer = setTimeout(() => {
    isSilent = true
    controller.abort(new Error('silence'))
  }, silenceMs)
  if (outer.aborted) stopped()
  outer.addEventListener('abort', stopped, { once: true })
  return {
    signal: controller.signal,
    heard: () => timer.refresh(),
    isSilent: () => isSilent && !outer.aborted,
    stop() {
      clearTimeout(timer)
      outer.removeEventListener('abort', stopped)
      controller.abort() // Whatever is left of the connection.
    },
  }
}
