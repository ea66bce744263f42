import type { RunningUpload } from './video-uploads.ts'

interface PausableDeps {
  /** Sends what is missing. Repeated when the upload is resumed; the signal ends an attempt. */
  attempt: (signal: AbortSignal) => Promise<string>
  /** Removes what is stored, after the last attempt has ended. */
  remove: () => Promise<void>
}

/** Pausing ends the attempt under way; resuming begins another one, which sends only what is missing. */
export function createPausable({ attempt, remove }: PausableDeps): RunningUpload {
  const { promise: stored, resolve, reject } = Promise.withResolvers<string>()
  let controller = new AbortController()
  let ended = Promise.resolve()
  /** Attempts never overlap: two would send the same part twice, or begin two uploads. */
  const start = () => {
    const { signal } = controller
    ended = ended.then(async () => {
      if (signal.aborted) return
      try {
        resolve(await attempt(signal))
      } catch (error) {
        if (!signal.aborted) reject(error)
      }
    })
  }
  start()
  return {
    stored,
    pause: () => controller.abort(),
    resume() {
      if (!controller.signal.aborted) return
      controller = new AbortController()
      start()
    },
    async cancel() {
      controller.abort()
      await ended
      await remove()
    },
  }
}
