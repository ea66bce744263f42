/** A set of listeners. One that throws must not stop the caller, so its error goes to the host's own error report. */
export function createListeners<News>() {
  const listeners = new Set<(news: News) => void>()
  return {
    add(listener: (news: News) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify(news: News): void {
      for (const listener of listeners) callSafely(() => listener(news))
    },
  }
}

/** Reports an error in the caller's function as uncaught, where its author will see it, instead of inside our loops. */
export function callSafely(call: () => void): void {
  try {
    call()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
