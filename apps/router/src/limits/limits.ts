import { limits as contractLimits } from '@atrium/contract'
import type { TurnstileLimits } from './admission.ts'

/** How long the router waits for others, and how much it does at the same time. */
export interface Limits {
  connectMs: number
  /** How long the pod of a room is believed to be the one that Redis named. */
  roomFreshMs: number
  /** From the end of a request to the head of its answer; also the longest silence within a body, either way. */
  answerMs: number
  /** How long the first 64 KiB of a body may take, or all of a smaller one. */
  gatherMs: number
  upgradeMs: number
  /** From when a backend was seen last until what is still under way to it is given up: a pod may take so long to stop. */
  goneMs: number
  /** From the signal to stop until what is still open is cut. */
  stopMs: number
  /** Requests under way to one backend, each on a connection of its own. */
  perBackend: TurnstileLimits
  /** Requests under way for one client address. */
  perAddress: TurnstileLimits
  /** Sockets to one backend, those that are being opened included. */
  socketsPerBackend: number
}

export const usualLimits: Limits = {
  connectMs: 2_000,
  // Below a second with room for the reading: a room that moved is followed so soon even when nobody says so.
  roomFreshMs: 800,
  answerMs: 65_000,
  // As long as an instance waits for a whole request.
  gatherMs: 17_000,
  upgradeMs: 5_000,
  goneMs: 20_000,
  stopMs: 10_000,
  // A pod answers some thousand requests a second, a few milliseconds each: a few dozen connections keep it busy. The
  // rest is room for slow uploads and answers; twice what one address may use, so that no address takes all of it.
  perBackend: { most: 512, mostWaiting: 1_024, waitMs: 10_000 },
  // Hundreds of people share the address of a school, and each has one or two requests under way at most moments.
  // Whoever comes later waits a moment; nobody is refused unless thousands ask at the same time.
  perAddress: { most: 256, mostWaiting: 4_096, waitMs: 30_000 },
  // An instance itself refuses the first socket above its limit, with the reason; this only bounds what it has to refuse.
  socketsPerBackend: contractLimits.socketsPerInstance + 200,
}
