import type { SenderRight } from './queue-store.ts'

/** The part of `navigator.locks` that is used. */
export interface Locks {
  request(
    name: string,
    options: { steal: true } | { signal: AbortSignal },
    held: () => Promise<void>,
  ): Promise<void>
}

/** The right to send as a Web Lock: the browser releases it the moment a tab is gone, even after a crash. */
export async function claimByLock(locks: Locks, name: string, onChange: () => void): Promise<SenderRight> {
  let isHeld = false
  const released = new AbortController()

  /** Holds the lock until it is released or stolen by a newer tab, then queues for it again. */
  const hold = (how: { steal: true } | { signal: AbortSignal }, onHeld: () => void): void => {
    locks
      .request(name, how, () => {
        isHeld = true
        onHeld()
        return new Promise<void>((resolve) => {
          if (released.signal.aborted) resolve()
          released.signal.addEventListener('abort', () => resolve())
        })
      })
      .catch(() => undefined) // Stolen, or cancelled while queued.
      .finally(() => {
        isHeld = false
        if (released.signal.aborted) return
        onChange()
        hold({ signal: released.signal }, onChange)
      })
  }
  await new Promise<void>((resolve) => hold({ steal: true }, resolve))
  return { isHeld: () => isHeld, release: () => released.abort() }
}
