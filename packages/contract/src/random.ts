/** A number in [0, 1). */
export type Random = () => number

/** Mulberry32: small, fast, the same everywhere, and random enough for simulated answers. */
export function randomFrom(start: number): Random {
  let state = start | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** The same text gives the same sequence; similar texts (`turn 1`, `turn 2`) give unrelated ones. */
export function seededRandom(seed: string): Random {
  // FNV-1a, then the finishing steps of MurmurHash3, which spread a change in the last character over all bits.
  let hash = 0x811c9dc5
  for (let index = 0; index < seed.length; index++)
    hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return randomFrom(hash ^ (hash >>> 16))
}

/** Both ends included. */
export const wholeBetween = (min: number, max: number, random: Random): number =>
  min + Math.floor(random() * (max - min + 1))

export const happens = (chance: number, random: Random): boolean => random() < chance

export function pickOne<Item>(items: readonly Item[], random: Random): Item {
  const [drawn] = items.slice(wholeBetween(0, items.length - 1, random))
  if (drawn === undefined) throw new Error('there is nothing to pick from')
  return drawn
}

/** `count` of the items, in a drawn order. */
export function pickSome<Item>(items: readonly Item[], count: number, random: Random): Item[] {
  const left = [...items]
  return Array.from({ length: Math.min(count, items.length) }, () =>
    left.splice(wholeBetween(0, left.length - 1, random), 1),
  ).flat()
}
