import type { Random } from '@atrium/contract'

/** Skewed as the times of people are: half of them are shorter than the usual one, and some take several times as long. */
export function skewedMs(usualMs: number, draw: Random, spread = 0.7): number {
  const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
  return Math.round(usualMs * Math.exp(Math.max(-2, Math.min(2, normal)) * spread))
}
