export type Backends = ReturnType<typeof createBackends>

/** How long an unreachable backend is skipped, unless there is no other. */
const skipMs = 1_000

/** Round-robin over the backends. */
export function createBackends(list: () => readonly string[], now: () => number) {
  const skippedUntil = new Map<string, number>()
  let turns = 0

  function available(): readonly string[] {
    const all = list()
    if (skippedUntil.size === 0) return all
    for (const [origin, until] of skippedUntil) if (until <= now()) skippedUntil.delete(origin)
    const reachable = all.filter((origin) => !skippedUntil.has(origin))
    return reachable.length > 0 ? reachable : all
  }

  return {
    count: (): number => list().length,
    /** The next backend and the one to try if it fails; the same one twice when there is only one. */
    next(): string[] {
      const origins = available()
      if (origins.length === 0) return []
      const turn = turns++
      return [turn, turn + 1].map((index) => origins[index % origins.length] as string)
    },
    /** Returns whether the backend was considered reachable until now. */
    failed(origin: string): boolean {
      const wasReachable = (skippedUntil.get(origin) ?? 0) <= now()
      skippedUntil.set(origin, now() + skipMs)
      return wasReachable
    },
  }
}
