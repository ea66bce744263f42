/**
 * What may still be done before an answer must be there. Counted in steps of some 50 ns, never in time: a room that is
 * replayed must come to the same state on every machine.
 */
export interface Work {
  left: number
}

/** Measured: 10 to 45 ms, whatever it is spent on. What one evaluation, or an action in a room of one, may cost. */
export const usualWork = 250_000

export const boundedWork = (steps = usualWork): Work => ({ left: steps })

/** Notes what something costs; false when that was more than is left. */
export function spend(work: Work, steps: number): boolean {
  work.left -= steps
  return work.left >= 0
}

export const isSpent = ({ left }: Work): boolean => left < 0
