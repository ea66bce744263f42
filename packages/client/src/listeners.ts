/** Who wants to be told. A listener that throws must not stop the sender, so its error goes to the host's own report. */
export function createListeners<News>() {
  const listeners = new Set<(news: News) => void>()
  return {
    add(listener: (news: News) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell(news: News): void {
      for (const listener of listeners) callSafely(() => listener(news))
    },
  }
}

/** The error of a caller's own function appears as uncaught, where its author looks, and not inside our loops. */
export function callSafely(call: () => void): void {
  try {
    call()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
