// Only the part of `window` that is used: the project does not include the DOM types.

interface UnloadEvent {
  preventDefault(): void
  returnValue: unknown
}

/** A browser's `window`. */
export interface UnloadTarget {
  addEventListener(type: 'beforeunload', listener: (event: UnloadEvent) => void): void
  removeEventListener(type: 'beforeunload', listener: (event: UnloadEvent) => void): void
}

/** While something is unsafe, the browser asks before leaving the page. */
export function warnWhile(isUnsafe: () => boolean, window: UnloadTarget): () => void {
  const ask = (event: UnloadEvent): void => {
    if (!isUnsafe()) return
    event.preventDefault()
    event.returnValue = true // For older browsers.
  }
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}

interface OnlineTarget {
  addEventListener?(type: 'online', listener: () => void): void
  removeEventListener?(type: 'online', listener: () => void): void
}

/** Browsers report when the network is back; programs just try. */
export function whenOnline(act: () => void, target: OnlineTarget = globalThis as OnlineTarget): () => void {
  target.addEventListener?.('online', act)
  return () => target.removeEventListener?.('online', act)
}

/** Pages and workers, whose requests carry the browser's own user agent. */
export const isBrowser = (): boolean => 'document' in globalThis || 'WorkerGlobalScope' in globalThis
