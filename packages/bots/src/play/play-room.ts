import type { Room } from '@atrium/client'
import { happens, type Random, wholeBetween } from '@atrium/contract'
import { playVisit, type Table } from './play-visit.ts'

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

export type RoomEnd =
  | { kind: 'finished'; outcome: string; finalState: string | undefined }
  /** R68: the stage is over, and they wait for the room of the next. */
  | { kind: 'next_stage' }
  | { kind: 'departed' }

const finalKinds = ['failed', 'replaced', 'closed']

/** Takes part in a room until it is over for this participant, or the bot goes (null: it stays to the end). */
export async function playRoom(table: Table, departure: Departure | null): Promise<RoomEnd> {
  const { room, bell, log, patienceMs } = table
  let last: { visit: number; stateId: string } | undefined
  const hasNews = (): boolean =>
    outcomeOf(room) !== undefined ||
    hasGoneOn(room) ||
    finalKinds.includes(room.status.kind) ||
    (room.view?.state?.visit ?? last?.visit) !== last?.visit
  for (let visits = 1; ; visits++) {
    if (!(await bell.until(hasNews, patienceMs)))
      throw new Error(`nothing happened in state ${last?.stateId} for ${patienceMs} ms`)
    if (hasGoneOn(room)) return { kind: 'next_stage' }
    const outcome = outcomeOf(room)
    if (outcome !== undefined) return { kind: 'finished', outcome, finalState: last?.stateId }
    const { state, roomId } = room.view ?? {}
    if (!state || !roomId) throw new Error(`the room is out of reach: ${JSON.stringify(room.status)}`)
    last = { visit: state.visit, stateId: state.id }
    log.note({ kind: 'entered', roomId, stateId: state.id, visit: state.visit, round: state.round })
    const isLast = departure !== null && visits >= departure.inVisit
    await playVisit(table, isLast ? departure.afterActs : null)
    if (isLast) return { kind: 'departed' }
  }
}

/** Or the room has let them go while they were not connected, so that their session has another by now. */
const hasGoneOn = ({ view, status }: Room): boolean =>
  view?.self.nextStage !== undefined || (status.kind === 'failed' && status.code === 'SESSION_MISMATCH')

/** What to complete with, once it is known. */
const outcomeOf = ({ view }: Room): string | undefined =>
  view?.self.outcome ?? (view?.status === 'ended' ? 'ABANDONED' : undefined)
