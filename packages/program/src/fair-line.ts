export type FairLine<Item> = ReturnType<typeof createFairLine<Item>>

/**
 * A queue in which owners take turns, however many items each has in it. When it is full, the owner with the most items
 * loses the newest of them, so that no owner can keep another out.
 */
export function createFairLine<Item>(max: number) {
  /** Items by owner, with the owners in the order of their turns. */
  const waiting = new Map<string, Set<Item>>()
  let size = 0
  /** Who had the last turn. They may have had nothing waiting then, and much now. */
  let lastServed: string | undefined

  function remove(owner: string, item: Item): boolean {
    const own = waiting.get(owner)
    if (!own?.delete(item)) return false
    size--
    if (own.size === 0) waiting.delete(owner)
    return true
  }

  /** Unless they have nothing waiting any more. */
  function toEnd([owner, own]: [string, Set<Item>]): void {
    if (waiting.delete(owner)) waiting.set(owner, own)
  }

  /** The newest item of the owner with the most, if that is more than `count`. */
  function surplusOver(count: number): { owner: string; item: Item } | undefined {
    let greediest: [string, Set<Item>] | undefined
    for (const entry of waiting) if (entry[1].size > (greediest?.[1].size ?? count)) greediest = entry
    if (!greediest) return undefined
    const [owner, own] = greediest
    const newest = [...own].at(-1)
    return newest === undefined ? undefined : { owner, item: newest }
  }

  function add(owner: string, item: Item): Item | undefined {
    const own = waiting.get(owner) ?? new Set<Item>()
    if (size >= max) {
      const surplus = surplusOver(own.size + 1)
      if (!surplus) return item
      remove(surplus.owner, surplus.item)
      add(owner, item)
      return surplus.item
    }
    waiting.set(owner, own.add(item))
    size++
    return undefined
  }

  return {
    size: (): number => size,
    /** Returns the item that had to make way, if any: `item` itself if no owner has more in the line than its own. */
    add,
    /** The oldest item of the owner whose turn it is. */
    take(): Item | undefined {
      const [first] = waiting
      if (first && first[0] === lastServed) toEnd(first)
      for (const entry of waiting)
        for (const item of entry[1]) {
          remove(entry[0], item)
          toEnd(entry)
          lastServed = entry[0]
          return item
        }
      return undefined
    },
    /** False when the item is not in the queue. */
    remove,
  }
}
