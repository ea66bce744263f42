/** How a part without a free place makes one: somebody who fits these parts moves on to another. */
interface Move {
  fits: number
  to: number
}

/** Parts with a free place, then those that can make one, nearest first. */
interface OpenParts {
  bits: number
  order: number[]
  moves: Map<number, Move>
}

/**
 * M23: people distributed over the parts of a group. Somebody may fit several parts, so whoever comes may move others to
 * another part that they fit as well: with that, nobody is turned away who could be placed, and whoever has a place keeps one.
 * People count by the parts that they fit (bits), because those who fit the same are alike.
 */
export function createComposition(counts: readonly number[]) {
  const free = [...counts]
  /** For each part: how many of those in it fit which parts. */
  const held = counts.map(() => new Map<number, number>())
  /** Undefined when unknown: mostly nobody has to move, and nothing has to be found out. */
  let open: OpenParts | undefined

  const isFreeFor = (fits: number) => (places: number, part: number) =>
    places > 0 && (fits & bitOf(part)) !== 0

  function openParts(): OpenParts {
    if (open) return open
    const order = [...free.keys()].filter((part) => (free[part] ?? 0) > 0)
    let bits = order.reduce((sum, part) => sum | bitOf(part), 0)
    const moves = new Map<number, Move>()
    // The list grows while it is read: breadth first, so that nobody moves in a circle.
    for (const to of order)
      for (const [part, inPart] of held.entries()) {
        if ((bits & bitOf(part)) !== 0) continue
        const fits = [...inPart.keys()].find((each) => (each & bitOf(to)) !== 0)
        if (fits === undefined) continue
        moves.set(part, { fits, to })
        bits |= bitOf(part)
        order.push(part)
      }
    open = { bits, order, moves }
    return open
  }

  const hasPlaceFor = (fits: number): boolean => free.some(isFreeFor(fits)) || (fits & openParts().bits) !== 0

  /** Adds as many people as find a place, up to this many; returns how many that are. */
  function addMany(fits: number, many: number): number {
    let left = many
    for (let part = free.findIndex(isFreeFor(fits)); part !== -1 && left > 0; ) {
      const placed = Math.min(left, free[part] ?? 0)
      change(part, fits, placed)
      takePlaces(part, placed)
      left -= placed
      part = free.findIndex(isFreeFor(fits))
    }
    while (left > 0 && addByMoving(fits)) left -= 1
    return many - left
  }

  function addByMoving(fits: number): boolean {
    const { order, moves } = openParts()
    let part = order.find((each) => (fits & bitOf(each)) !== 0)
    if (part === undefined) return false
    change(part, fits, 1)
    for (let move = moves.get(part); move; move = moves.get(part)) {
      change(part, move.fits, -1)
      change(move.to, move.fits, 1)
      part = move.to
    }
    takePlaces(part, 1)
    return true
  }

  function change(part: number, fits: number, by: number): void {
    const inPart = held[part]
    const now = (inPart?.get(fits) ?? 0) + by
    if (now === 0) inPart?.delete(fits)
    else inPart?.set(fits, now)
  }

  function takePlaces(part: number, places: number): void {
    free[part] = (free[part] ?? 0) - places
    open = undefined
  }

  return {
    hasPlaceFor,
    add: (fits: number): boolean => addMany(fits, 1) === 1,
    /** Takes out one of those who fit these parts; returns the part that they were in, or -1. */
    remove(fits: number): number {
      const part = held.findIndex((inPart) => inPart.has(fits))
      if (part === -1) return part
      change(part, fits, -1)
      takePlaces(part, -1)
      return part
    },
  }
}

/** The part of each member; all of them have a place. */
export function assignParts(fits: readonly number[], counts: readonly number[]): number[] {
  const composition = createComposition(counts)
  for (const one of fits) composition.add(one)
  return fits.map((one) => composition.remove(one))
}

const bitOf = (part: number): number => 1 << part
