export type Backends = ReturnType<typeof createBackends>

/** So long nobody is sent to a backend that could not be reached, unless there is no other. */
const restMs = 1_000

/** Whose turn it is. */
export function createBackends(list: () => readonly string[], now: () => number) {
  const restsUntil = new Map<string, number>()
  let turns = 0

  function awake(): readonly string[] {
    const all = list()
    if (restsUntil.size === 0) return all
    for (const [origin, until] of restsUntil) if (until <= now()) restsUntil.delete(origin)
    const rested = all.filter((origin) => !restsUntil.has(origin))
    return rested.length > 0 ? rested : all
  }

  return {
    count: (): number => list().length,
    /** The next one, and who follows when it fails; the same one again when there is only one. Empty: there is none. */
    next(): string[] {
      const origins = awake()
      if (origins.length === 0) return []
      const turn = turns++
      return [turn, turn + 1].map((index) => origins[index % origins.length] as string)
    },
    /** Answers whether that is news. */
    failed(origin: string): boolean {
      const isNews = (restsUntil.get(origin) ?? 0) <= now()
      restsUntil.set(origin, now() + restMs)
      return isNews
    },
  }
}
