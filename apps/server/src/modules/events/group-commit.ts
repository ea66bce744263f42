import { isUnavailable } from '../../kernel/app-error.ts'

export interface GroupLimits<Item> {
  mostItems: number
  /** One item may be heavier; then it is a group of its own. */
  mostWeight?: number
  weightOf?(item: Item): number
  /** How many groups may be with the store; beyond the first, only full ones are sent ahead. */
  mostUnderWay?: number
}

/**
 * Many callers, one durable transaction. While one group is being written the next one gathers, so a group is
 * as large as the disk is slow: with 64 clients one fsync serves dozens of requests instead of one. A full group
 * gains nothing by waiting longer, so it may go to the store before the one ahead of it is acknowledged.
 *
 * A group that the store refuses is taken apart until it is known which items it refuses: what one client sent never
 * fails the others'. Only when the store is away, all of the group fail, because asking again would only take time.
 */
export function createGroupCommit<Item, Outcome>(
  commit: (items: Item[]) => Promise<Outcome[]>,
  { mostItems, mostWeight = 0, weightOf = () => 0, mostUnderWay = 1 }: GroupLimits<Item>,
) {
  interface Waiting {
    item: Item
    resolve(outcome: Outcome): void
    reject(error: unknown): void
  }
  const waiting: Waiting[] = []
  const underWay = new Set<Promise<void>>()
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
    let outcomes: Outcome[]
    try {
      outcomes = await commit(group.map(({ item }) => item))
    } catch (error) {
      // The whole group was rolled back.
      if (group.length > 1 && !isUnavailable(error)) return await writeHalves(group)
      for (const { reject } of group) reject(error)
      return
    }
    commits++
    group.forEach(({ resolve }, index) => {
      resolve(outcomes[index] as Outcome)
    })
  }

  /** One after the other: items stay in the order in which they came. */
  async function writeHalves(group: Waiting[]): Promise<void> {
    const middle = Math.ceil(group.length / 2)
    await writeGroup(group.slice(0, middle))
    await writeGroup(group.slice(middle))
  }

  const mayBegin = (): boolean =>
    underWay.size === 0 ? waiting.length > 0 : underWay.size < mostUnderWay && waiting.length >= mostItems

  function beginGroups(): void {
    while (mayBegin()) {
      const written = writeGroup(takeGroup()).then(() => {
        underWay.delete(written)
        beginGroups()
      })
      underWay.add(written)
    }
  }

  return {
    add: (item: Item): Promise<Outcome> =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        beginGroups()
      }),
    commits: () => commits,
    /** Resolves when everything that was added is written or refused. */
    async drain(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
