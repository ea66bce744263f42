export type FairLine<Item> = ReturnType<typeof createFairLine<Item>>

/**
 * A line in which owners take turns, however many things each of them has put there. When it is full, whoever has most in
 * it loses the newest of those: no owner keeps another one out.
 */
export function createFairLine<Item>(most: number) {
  /** By owner, and the owners in the order of their turns. */
  const waiting = new Map<string, Set<Item>>()
  let size = 0

  function remove(owner: string, item: Item): boolean {
    const own = waiting.get(owner)
    if (!own?.delete(item)) return false
    size--
    if (own.size === 0) waiting.delete(owner)
    return true
  }

  /** The newest thing of whoever has more than this many. */
  function surplusOver(count: number): { owner: string; item: Item } | undefined {
    let greediest: [string, Set<Item>] | undefined
    for (const entry of waiting) if (entry[1].size > (greediest?.[1].size ?? count)) greediest = entry
    if (!greediest) return undefined
    const [owner, own] = greediest
    const newest = [...own].at(-1)
    return newest === undefined ? undefined : { owner, item: newest }
  }

  const line = {
    size: (): number => size,
    /** What has to leave the line for it, if anything: the thing itself where nobody has more there than its owner. */
    add(owner: string, item: Item): Item | undefined {
      const own = waiting.get(owner) ?? new Set<Item>()
      if (size >= most) {
        const surplus = surplusOver(own.size + 1)
        if (!surplus) return item
        remove(surplus.owner, surplus.item)
        line.add(owner, item)
        return surplus.item
      }
      waiting.set(owner, own.add(item))
      size++
      return undefined
    },
    /** The oldest thing of the owner whose turn it is. */
    take(): Item | undefined {
      for (const [owner, own] of waiting)
        for (const item of own) {
          remove(owner, item)
          if (waiting.delete(owner)) waiting.set(owner, own)
          return item
        }
      return undefined
    },
    /** False when it is not in the line. */
    remove,
  }
  return line
}
