import type { Random } from '@atrium/contract'

export interface PacketFateOptions {
  /** Chance that a packet is lost, each time it is sent. */
  loss: number
  roundTripMs: number
  /** A packet that is still undelivered after this long breaks its connection. */
  patienceMs: number
  random: Random
}

export type PacketFate =
  | { kind: 'arrives'; atMs: number; losses: number }
  | { kind: 'breaks'; atMs: number; losses: number }

/**
 * Packets on their way at once. With a third of them lost, TCP's window is about 1.2 / √loss, so 2. Without this limit a long
 * answer would cross the line in one trip, which no real one does.
 */
const window = 2

/**
 * What becomes of the packets of one direction, asked for in the order in which they are sent. As in TCP: a lost packet is sent
 * again after a round trip, then after twice that, and so on; those behind it wait for it.
 */
export function createPacketFates({ loss, roundTripMs, patienceMs, random }: PacketFateOptions) {
  const acknowledgedAtMs: number[] = []
  let lastArrivalMs = 0
  return (nowMs: number): PacketFate => {
    const sentAtMs = Math.max(nowMs, (acknowledgedAtMs.length >= window && acknowledgedAtMs.shift()) || 0)
    let [losses, waitedMs] = [0, 0]
    while (waitedMs <= patienceMs && random() < loss) waitedMs += roundTripMs * 2 ** losses++
    if (waitedMs > patienceMs) return { kind: 'breaks', atMs: sentAtMs + patienceMs, losses }
    const atMs = Math.max(lastArrivalMs, sentAtMs + waitedMs + roundTripMs / 2)
    lastArrivalMs = atMs
    acknowledgedAtMs.push(atMs + roundTripMs / 2)
    return { kind: 'arrives', atMs, losses }
  }
}
