import { createHash } from 'node:crypto'

/** A number in [0, 1). */
export type Random = () => number

/** For each purpose a sequence of its own: what is drawn for one thing does not depend on when the others happen. */
export type Draws = (purpose: string) => Random

export const createDraws =
  (seed: string): Draws =>
  (purpose) =>
    seededRandom(`${seed}/${purpose}`)

/** Mulberry32, started from a hash, so that similar seeds (`bot 1`, `bot 2`) give unrelated numbers. */
function seededRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readInt32LE(0)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** Both ends included. */
export const wholeBetween = (least: number, most: number, random: Random): number =>
  least + Math.floor(random() * (most - least + 1))

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

/** One of the values, each as often as its weight says. */
export function pickWeighted(weights: Readonly<Record<string, number>>, random: Random): string {
  const entries = Object.entries(weights)
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [value, weight] of entries) {
    left -= weight
    if (left < 0) return value
  }
  throw new Error('there is nothing to pick from')
}
