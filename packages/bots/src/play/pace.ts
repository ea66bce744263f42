import type { Random } from '@atrium/contract'

/** Response times are skewed: most are near the usual one, a few take much longer. */
const spread = 0.5
const longestTimes = 5

/** A reaction time, log-normal around the usual one. */
export function reactionMs(usualMs: number, random: Random, speed: number): number {
  // Box–Muller; 1 - x because the logarithm of 0 is none.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return (usualMs * Math.min(longestTimes, Math.exp(spread * normal))) / speed
}
