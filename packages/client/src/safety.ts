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
      const seen = JSON.stringify([
        safety.pending,
        safety.quarantined,
        safety.isOnline,
        safety.lastError?.message,
      ])
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
