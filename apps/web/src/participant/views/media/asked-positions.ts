import { recordIn } from '../questions/answer.ts'

export interface Playhead {
  positionMs: number
  hasEnded: boolean
}

/** Where to ask for a rating, in milliseconds; undefined means at the end. */
type Positions = readonly number[] | undefined

/** The first position that is reached and not yet rated. Positions beyond the end count as reached at the end. */
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

/** After a reload only the latest rating is known; all earlier positions have been rated before it. */
export function ratedUntil(positions: Positions, recorded: unknown): number[] {
  const newest = recordIn(recorded).atMs
  if (typeof newest !== 'number') return []
  return positions === undefined ? [newest] : inOrder(positions).filter((at) => at <= newest)
}

const inOrder = (positions: readonly number[]) => [...positions].sort((one, other) => one - other)
