import { recordIn } from '../questions/answer.ts'

export interface Playhead {
  positionMs: number
  hasEnded: boolean
}

/** Positions at which it asks; undefined means the end, wherever that is. */
type Positions = readonly number[] | undefined

/** The first position that has been reached and not yet rated. Positions beyond the end are reached at the end. */
export function positionDue(
  positions: Positions,
  rated: readonly number[],
  { positionMs, hasEnded }: Playhead,
): number | undefined {
  if (positions === undefined) return hasEnded && rated.length === 0 ? positionMs : undefined
  return inOrder(positions).find((at) => !rated.includes(at) && (hasEnded || at <= positionMs))
}

export const isAllRated = (positions: Positions, rated: readonly number[]): boolean =>
  positions === undefined ? rated.length > 0 : positions.every((at) => rated.includes(at))

/** After a reload only the newest rating is known; earlier positions must have been rated before it. */
export function ratedUntil(positions: Positions, recorded: unknown): number[] {
  const newest = recordIn(recorded).atMs
  if (typeof newest !== 'number') return []
  return positions === undefined ? [newest] : inOrder(positions).filter((at) => at <= newest)
}

const inOrder = (positions: readonly number[]) => [...positions].sort((one, other) => one - other)
