import { isUnavailable } from './app-error.ts'
import { type Schedule, systemSchedule } from './clock.ts'

export interface GroupLimits<Item> {
  maxItems: number
  /** A heavier item forms a group of its own. */
  maxWeight?: number
  weightOf?(item: Item): number
  /** How many groups may be with the store at once; after the first, only full groups are sent ahead. */
  maxInFlight?: number
  /**
   * The owner of an item, if the items of each owner must be stored in order. An owner's items are never with the
   * store in two groups, because the first may have to be split up while the second is written.
   */
  ownerOf?(item: Item): string
  pace?: Pace<Item>
}

/**
 * A commit costs about the same for one item as for ten. So a group that is not full begins this long after the one
 * before it began, and takes along what has arrived in the meantime. After a pause it begins at once.
 */
interface Pace<Item> {
  everyMs: number
  /** A group with an item that must not wait begins at once. */
  mayWait?(item: Item): boolean
  now?(): number
  schedule?: Schedule
}

const unpaced = { everyMs: 0, mayWait: () => true, now: () => performance.now(), schedule: systemSchedule }

/**
 * Many callers, one durable transaction. While one group is written the next one gathers, so groups are as large as
 * the disk is slow: with 64 clients one fsync serves dozens of requests instead of one. A full group gains nothing by
 * waiting longer, so it may go to the store before the one ahead of it is acknowledged.
 *
 * A group that the store refuses is split up until the refused items are found: one client's items never make
 * another's fail. Only when the store is away does the whole group fail, because retrying would only take time.
 */
// One function, because groups are formed, begun and split up on the same queue.
export function createGroupCommit<Item, Outcome>(
  commit: (items: Item[]) => Promise<Outcome[]>,
  { maxItems, maxWeight = 0, weightOf = () => 0, maxInFlight = 1, ownerOf, pace }: GroupLimits<Item>,
) {
  const { everyMs, mayWait, now, schedule } = { ...unpaced, ...pace }
  interface Waiting {
    item: Item
    resolve(outcome: Outcome): void
    reject(error: unknown): void
  }
  const waiting: Waiting[] = []
  /** Groups with the store, each with the owners of its items. */
  const underWay = new Map<Promise<void>, Set<string>>()
  let commits = 0
  let lastBegunAt = Number.NEGATIVE_INFINITY
  /** Something that must not wait is waiting. */
  let isUrgent = false
  let isScheduled = false

  /** How many waiting items form the next group. */
  function lengthOfGroup(): number {
    let weight = 0
    const end = waiting.findIndex(({ item }, index) => {
      weight += weightOf(item)
      return index > 0 && (index === maxItems || weight > maxWeight)
    })
    return end === -1 ? waiting.length : end
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

  /** One after the other, so that items stay in order. */
  async function writeHalves(group: Waiting[]): Promise<void> {
    const middle = Math.ceil(group.length / 2)
    await writeGroup(group.slice(0, middle))
    await writeGroup(group.slice(middle))
  }

  const ownersOf = (group: Waiting[]): Set<string> =>
    new Set(ownerOf && maxInFlight > 1 ? group.map(({ item }) => ownerOf(item)) : [])

  const isWithStore = (group: Waiting[]): boolean => {
    const owners = [...ownersOf(group)]
    return [...underWay.values()].some((others) => owners.some((owner) => others.has(owner)))
  }

  function mayBegin(): boolean {
    if (underWay.size === 0) return waiting.length > 0 && !mayGather()
    if (underWay.size >= maxInFlight || waiting.length < maxItems) return false
    return !isWithStore(waiting.slice(0, lengthOfGroup()))
  }

  /** Whether the next group is to wait for company; if so, it begins later by itself. */
  function mayGather(): boolean {
    if (everyMs === 0 || isUrgent || waiting.length >= maxItems) return false
    const waitMs = Math.ceil(lastBegunAt + everyMs - now())
    if (waitMs <= 0) return false
    if (!isScheduled) {
      isScheduled = true
      schedule(waitMs, () => {
        isScheduled = false
        beginGroups()
      })
    }
    return true
  }

  function beginGroups(): void {
    while (mayBegin()) {
      const group = waiting.splice(0, lengthOfGroup())
      if (everyMs > 0) lastBegunAt = now()
      isUrgent = waiting.some(({ item }) => !mayWait(item))
      const written = writeGroup(group).then(() => {
        underWay.delete(written)
        beginGroups()
      })
      underWay.set(written, ownersOf(group))
    }
  }

  return {
    add: (item: Item): Promise<Outcome> =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        isUrgent ||= !mayWait(item)
        beginGroups()
      }),
    commits: () => commits,
    /** Resolves when everything added is written or refused. */
    async drain(): Promise<void> {
      while (waiting.length > 0 || underWay.size > 0) {
        isUrgent = true
        beginGroups()
        await Promise.all(underWay.keys())
      }
    },
  }
}
