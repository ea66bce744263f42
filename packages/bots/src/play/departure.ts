import { happens, type Random, wholeBetween } from '@atrium/contract'

/** A drop-out: when the bot goes without a word, and for how long. */
export interface Departure {
  /** The visit of a state in which it goes; 0 is the waiting room. */
  inVisit: number
  /** So many actions are acknowledged in that state; one more is on its way. */
  afterActs: number
  /** Null: it never comes back. */
  awayMs: number | null
}

const returnChance = 0.5
const latestVisit = 5
const longestAwayMs = 60_000

export function drawDeparture(chance: number, random: Random, speed: number): Departure | null {
  if (!happens(chance, random)) return null
  const [inVisit, afterActs] = [wholeBetween(0, latestVisit, random), wholeBetween(0, 1, random)]
  const awayMs = happens(returnChance, random) ? (random() * longestAwayMs) / speed : null
  return { inVisit, afterActs, awayMs }
}
