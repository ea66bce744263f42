interface Pool {
  taken: number
  /** In the order in which they asked. */
  waiting: Set<() => void>
}

/**
 * At most `max` calls at a time for each key; the others wait. Agents of Node could do that, but a request in their
 * queue neither hears its signal nor leaves the queue.
 */
export function createConnectionSlots(max: number) {
  const pools = new Map<string, Pool>()
  return {
    /** Resolves with the function that gives the slot back. Rejects with the signal's reason. */
    async take(key: string, signal: AbortSignal): Promise<() => void> {
      const pool = pools.get(key) ?? { taken: 0, waiting: new Set() }
      pools.set(key, pool)
      if (pool.taken < max) pool.taken++
      else await handOver(pool, signal)
      return () => {
        const [next] = pool.waiting
        if (next) return next()
        if (--pool.taken === 0) pools.delete(key)
      }
    },
  }
}

/** Until another call passes its slot on. */
function handOver({ waiting }: Pool, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onFree = () => {
      waiting.delete(onFree)
      signal.removeEventListener('abort', onAbort)
      resolve()
    }
    const onAbort = () => {
      waiting.delete(onFree)
      reject(signal.reason)
    }
    waiting.add(onFree)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
