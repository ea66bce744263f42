import { emptyVisit, type Seat, type Visit } from '../model/room-state.ts'
import type { StateBlueprint } from '../model/state-blueprint.ts'

/** What was there for less than this has not been read. */
const readableMs = 4_000

/**
 * RM133: the visit that begins when the former state ends. How somebody did goes with them where the state ended with their
 * answer, as it does for the last of a group; who presses a button has read it.
 */
export function visitAfter({ here }: Seat, former: StateBlueprint | undefined, now: number): Visit {
  if ((former?.state.end?.on ?? 'button') === 'button') return emptyVisit
  let newest: { unread: NonNullable<Visit['unread']>; at: number } | undefined
  for (const [componentId, { result, resultAt }] of Object.entries(here.answers))
    if (result && resultAt !== undefined && now - resultAt < readableMs && resultAt >= (newest?.at ?? 0))
      newest = { unread: { componentId, result }, at: resultAt }
  return newest ? { ...emptyVisit, unread: newest.unread } : emptyVisit
}
