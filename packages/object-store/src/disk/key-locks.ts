interface KeyLocks {
  /** Runs the work once nobody else holds the key. Not re-entrant. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>
}

/** Those who want the same key take turns, in the order in which they came. */
export function createKeyLocks(): KeyLocks {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(key, work) {
      const turn = (last.get(key) ?? Promise.resolve()).then(work, work)
      last.set(key, turn)
      try {
        return await turn
      } finally {
        if (last.get(key) === turn) last.delete(key)
      }
    },
  }
}
