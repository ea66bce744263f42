export interface Weighing<Item> {
  /** One item may be heavier; then it is a group of its own. */
  mostWeight: number
  weightOf(item: Item): number
}

export interface Overlap<Item> {
  /** How many groups are written at the same time. */
  mostUnderWay: number
  /** Items with the same key are written in the order in which they came, never in two groups at a time. */
  orderOf(item: Item): string
}

/**
 * Many callers, one durable transaction. While one group is being written the next one gathers, so a group is
 * as large as the disk is slow: with 64 clients one fsync serves dozens of requests instead of one.
 */
export function createGroupCommit<Item, Outcome>(
  commit: (items: Item[]) => Promise<Outcome[]>,
  mostItems: number,
  { mostWeight, weightOf }: Weighing<Item> = { mostWeight: 0, weightOf: () => 0 },
  { mostUnderWay, orderOf }: Overlap<Item> = { mostUnderWay: 1, orderOf: () => '' },
) {
  interface Waiting {
    item: Item
    resolve(outcome: Outcome): void
    reject(error: unknown): void
  }
  let waiting: Waiting[] = []
  const underWay = new Set<Promise<void>>()
  const ordersUnderWay = new Set<string>()
  let commits = 0

  function takeGroup(): Waiting[] {
    const group: Waiting[] = []
    const left: Waiting[] = []
    let weight = 0
    let isFull = false
    for (const entry of waiting) {
      const mayGo = !isFull && !ordersUnderWay.has(orderOf(entry.item))
      if (mayGo) weight += weightOf(entry.item)
      isFull ||= mayGo && group.length > 0 && (group.length === mostItems || weight > mostWeight)
      if (mayGo && !isFull) group.push(entry)
      else left.push(entry)
    }
    waiting = left
    return group
  }

  async function writeGroup(group: Waiting[]): Promise<void> {
    try {
      const outcomes = await commit(group.map(({ item }) => item))
      commits++
      group.forEach(({ resolve }, index) => {
        resolve(outcomes[index] as Outcome)
      })
    } catch (error) {
      // The whole group was rolled back; each caller learns it and may retry.
      for (const { reject } of group) reject(error)
    }
  }

  function writeNext(): void {
    while (underWay.size < mostUnderWay && waiting.length > 0) {
      const group = takeGroup()
      if (group.length === 0) return
      const orders = group.map(({ item }) => orderOf(item))
      for (const order of orders) ordersUnderWay.add(order)
      const written = writeGroup(group).then(() => {
        underWay.delete(written)
        for (const order of orders) ordersUnderWay.delete(order)
        writeNext()
      })
      underWay.add(written)
    }
  }

  return {
    add: (item: Item): Promise<Outcome> =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        writeNext()
      }),
    commits: () => commits,
    /** Resolves when everything that was added is written or refused. */
    async drain(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
