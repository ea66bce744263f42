/**
 * What may still be done before an answer must be there. Counted in steps of some 50 ns, never in time: a room that is
 * replayed must come to the same state on every machine.
 */
export interface Work {
  left: number
}

/** About 25 ms on a small machine: what one evaluation, or one action in the room of a single person, may cost. */
export const usualWork = 500_000

export const boundedWork = (steps = usualWork): Work => ({ left: steps })

/** Notes what something costs; false when that was more than is left. */
export function spend(work: Work, steps: number): boolean {
  work.left -= steps
  return work.left >= 0
}

export const isSpent = ({ left }: Work): boolean => left < 0
