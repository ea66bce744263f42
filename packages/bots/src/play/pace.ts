import type { Random } from '../random.ts'

/** How long people usually take for it. */
const usualMs: Record<string, number> = {
  consent: 4_000,
  instructions: 5_000,
  text_input: 4_000,
  matrix: 5_000,
  ranking: 5_000,
}
const otherwiseMs = 2_000
/** Response times are skewed: most are near the usual one, a few take much longer. */
const spread = 0.5
const longestTimes = 5

/** A reaction time, log-normal around what is usual for the type. */
export function reactionMs(type: string, random: Random, speed: number): number {
  const usual = Object.hasOwn(usualMs, type) ? (usualMs[type] ?? otherwiseMs) : otherwiseMs
  // Box–Muller; 1 - x because the logarithm of 0 is none.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return (usual * Math.min(longestTimes, Math.exp(spread * normal))) / speed
}
