import { createListeners } from './listeners.ts'

/** What the server does not have yet, for an indicator on the page. */
export interface Safety {
  /** Number of events and room actions that are not acknowledged. */
  pending: number
  /** Number of events that the server refuses; `quarantined()` lists them. */
  quarantined: number
  /** Whether the last request was answered. */
  isOnline: boolean
  lastError: Error | undefined
}

/** Notifies listeners when something about safety has changed, and only then. */
export function createSafety(read: () => Safety) {
  const listeners = createListeners<Safety>()
  let told = ''
  return {
    check(): void {
      const safety = read()
      const { pending, quarantined, isOnline, lastError } = safety
      // Compare the name as well: the error may change to one that stops sending, with the same message.
      const seen = JSON.stringify([pending, quarantined, isOnline, lastError?.name, lastError?.message])
      if (seen === told) return
      told = seen
      listeners.notify(safety)
    },
    /** The listener is called with the current state at once. */
    add(listener: (safety: Safety) => void): () => void {
      const remove = listeners.add(listener)
      listener(read())
      return remove
    },
  }
}
