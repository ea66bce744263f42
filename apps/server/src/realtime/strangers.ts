export interface Stranger {
  readonly address: string
  /** Whether what they have presented is being looked at. */
  isBeingChecked(): boolean
}

/** Connections that have presented no session, by address, the oldest first. */
export function createStrangers<Someone extends Stranger>() {
  const byAddress = new Map<string, Set<Someone>>()
  let count = 0

  function mostCrowded(): Set<Someone> {
    let most = new Set<Someone>()
    for (const some of byAddress.values()) if (some.size > most.size) most = some
    return most
  }

  return {
    count: (): number => count,
    all: (): Someone[] => [...byAddress.values()].flatMap((some) => [...some]),
    add(someone: Someone): void {
      const neighbours = byAddress.get(someone.address) ?? new Set()
      byAddress.set(someone.address, neighbours)
      if (neighbours.has(someone)) return
      neighbours.add(someone)
      count++
    },
    delete(someone: Someone): void {
      const neighbours = byAddress.get(someone.address)
      if (!neighbours?.delete(someone)) return
      count--
      if (neighbours.size === 0) byAddress.delete(someone.address)
    },
    /**
     * Who makes place for another: of the most crowded address, so that a flood crowds out itself; who has said nothing
     * yet before who is being checked; the oldest, as those who mean it present their session at once.
     */
    mostExpendable(): Someone | undefined {
      const crowd = mostCrowded()
      for (const someone of crowd) if (!someone.isBeingChecked()) return someone
      const [oldest] = crowd
      return oldest
    },
  }
}
