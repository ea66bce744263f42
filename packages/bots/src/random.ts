import { createHash } from 'node:crypto'
import { type Random, randomFrom } from '@atrium/contract'

/** For each purpose a sequence of its own: what is drawn for one thing does not depend on when the others happen. */
export type Draws = (purpose: string) => Random

/** Started from a hash, so that similar seeds (`bot 1`, `bot 2`) give unrelated numbers. */
export const createDraws =
  (seed: string): Draws =>
  (purpose) =>
    randomFrom(createHash('sha256').update(`${seed}/${purpose}`).digest().readInt32LE(0))

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

/** Response times are skewed: most are near the usual one, a few take much longer. */
const spread = 0.5
const longestTimes = 5

/** A reaction time, log-normal around the usual one. */
export function reactionMs(usualMs: number, random: Random, speed: number): number {
  // Box–Muller; 1 - x because the logarithm of 0 is none.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return (usualMs * Math.min(longestTimes, Math.exp(spread * normal))) / speed
}
