import { type DropReason, dropReasonOf } from '@atrium/contract'
import type { ExportedSession, StoredEvent } from '../exports.store.ts'
import { dataOf, originOf, textIn } from '../tables/row.ts'

/** How a room says that somebody's part in it has ended. */
export interface Ending {
  type: string
  outcome: string | null
  at: number
  fromState: string | null
}

export function endingOf(event: StoredEvent): Ending {
  const { outcome, fromState } = dataOf(event)
  return { type: event.type, outcome: textIn(outcome), at: event.serverTime, fromState: textIn(fromState) }
}

/** The state that somebody is in after a transition; null at the end. */
export const stateAfter = (event: StoredEvent, was: string | null, end: string): string | null => {
  const state = textIn(dataOf(event).toState) ?? event.stateId
  return originOf(event) === 'client' && state === end ? null : (state ?? was)
}

interface Drop {
  droppedAt: number | null
  droppedState: string | null
  dropReason: DropReason | null
}

const completed: Drop = { droppedAt: null, droppedState: null, dropReason: null }

/**
 * R92: when, where and why somebody stopped who did not complete. What was stored when they stopped comes first; of agents and
 * of people who stopped before that was stored, the record of the room tells; and whoever has neither an outcome nor a session
 * any more has vanished.
 */
export function dropOf(session: ExportedSession, ending: Ending | null, lastState: string | null): Drop {
  const { droppedAt, droppedState, dropReason, status, lastActivityAt, completedAt } = session
  if (dropReason !== null) return { droppedAt, droppedState, dropReason }
  const outcome = session.outcome ?? ending?.outcome ?? null
  if (outcome !== null) {
    const reason = ending?.type === 'left' || ending?.type === 'removed' ? ending.type : dropReasonOf(outcome)
    if (reason === null) return completed
    return {
      droppedAt: ending?.at ?? completedAt,
      droppedState: ending?.fromState ?? null,
      dropReason: reason,
    }
  }
  if (status === null || status === 'active' || status === 'completed') return completed
  return {
    droppedAt: lastActivityAt,
    droppedState: lastState,
    dropReason: status === 'revoked' ? 'removed' : 'disconnected',
  }
}
