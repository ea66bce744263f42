export interface Weighing<Item> {
  /** One item may be heavier; then it is a group of its own. */
  mostWeight: number
  weightOf(item: Item): number
}

/**
 * Many callers, one durable transaction. While one group is being written the next one gathers, so a group is
 * as large as the disk is slow: with 64 clients one fsync serves dozens of requests instead of one.
 */
export function createGroupCommit<Item, Outcome>(
  commit: (items: Item[]) => Promise<Outcome[]>,
  mostItems: number,
  { mostWeight, weightOf }: Weighing<Item> = { mostWeight: 0, weightOf: () => 0 },
) {
  interface Waiting {
    item: Item
    resolve(outcome: Outcome): void
    reject(error: unknown): void
  }
  const waiting: Waiting[] = []
  let running: Promise<void> | undefined
  let commits = 0

  function takeGroup(): Waiting[] {
    let weight = 0
    const end = waiting.findIndex(({ item }, index) => {
      weight += weightOf(item)
      return index > 0 && (index === mostItems || weight > mostWeight)
    })
    return waiting.splice(0, end === -1 ? waiting.length : end)
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

  async function run(): Promise<void> {
    while (waiting.length > 0) await writeGroup(takeGroup())
    running = undefined
  }

  return {
    add: (item: Item): Promise<Outcome> =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        running ??= run()
      }),
    commits: () => commits,
    /** Resolves when everything that was added is written or refused. */
    drain: async (): Promise<void> => await running,
  }
}
