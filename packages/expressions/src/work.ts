/**
 * A budget of work. Counted in steps of some 50 ns, never in time: a replayed room must reach the same state on every
 * machine.
 */
export interface Work {
  left: number
}

/** What one evaluation, or an action in a room of one, may cost. Measured: 10 to 45 ms, whatever it is spent on. */
export const usualWork = 250_000

export const boundedWork = (steps = usualWork): Work => ({ left: steps })

/** Deducts a cost; returns false when it exceeds what is left. */
export function spend(work: Work, steps: number): boolean {
  work.left -= steps
  return work.left >= 0
}

export const isSpent = ({ left }: Work): boolean => left < 0
