import { createListeners } from './listeners.ts'

/** What is not on the server yet, for a sign on the page. */
export interface Safety {
  /** Events and room actions that are not acknowledged. */
  pending: number
  /** Events that the server refuses; `quarantined()` lists them. */
  quarantined: number
  /** Whether the last request was answered. */
  isOnline: boolean
  lastError: Error | undefined
}

/** Tells listeners when something about safety has changed, and only then. */
export function createSafety(read: () => Safety) {
  const listeners = createListeners<Safety>()
  let told = ''
  return {
    check(): void {
      const safety = read()
      const { pending, quarantined, isOnline, lastError } = safety
      // The name as well: that nothing more will be sent is news, though the sentence may be the same.
      const seen = JSON.stringify([pending, quarantined, isOnline, lastError?.name, lastError?.message])
      if (seen === told) return
      told = seen
      listeners.tell(safety)
    },
    /** The listener hears the present state at once. */
    add(listener: (safety: Safety) => void): () => void {
      const remove = listeners.add(listener)
      listener(read())
      return remove
    },
  }
}
