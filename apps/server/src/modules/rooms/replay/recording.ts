import type { RoomMoment } from '@atrium/contract'
import { applyLogged } from '../live/read-room.ts'
import type { Blueprint } from '../model/blueprint.ts'
import type { RoomAction } from '../model/room-action.ts'
import type { RoomState } from '../model/room-state.ts'
import type { ReplayableAction } from '../rooms.store.ts'
import { momentOf } from './moment.ts'
import { applyChange, type Change } from './state-changes.ts'

/** A place in the log and the room after it. */
export interface Point {
  number: number
  at: number
  state: RoomState
}

/** A room as far as it has been played again. */
export interface Recording {
  moments: RoomMoment[]
  /** One for every page of the log, so that any moment is at most a page away. The first is where it begins. */
  checkpoints: Point[]
  last: Point
  /** Length of the log that it was made of: what it keeps in memory grows with this. */
  characters: number
  /** False when its beginning was deleted with somebody, or when it is too long. */
  isWhole: boolean
}

/** Some seconds of work and some megabytes; a group of eight in a long study stays below a tenth of it. */
export const maxActions = 20_000
export const maxCharacters = 16_777_216
const actionsPerCheckpoint = 100

export const isFull = ({ last, checkpoints, characters }: Recording): boolean =>
  last.number - (checkpoints[0]?.number ?? 0) >= maxActions || characters >= maxCharacters

export const beginRecording = (from: Point, moments: RoomMoment[] = []): Recording => ({
  moments,
  checkpoints: [from],
  last: from,
  characters: 0,
  isWhole: moments.length === 0,
})

/** RM141: what is recorded in place of an action, after somebody was deleted; or that the rest was too long to record. */
export type KeptMoment = { isCut: true } | { change: Change | null; moment: RoomMoment | null }

/** What takes the place of an action of somebody who was deleted. */
export const isErased = ({ action }: ReplayableAction): boolean => action === '{"type":"erased"}'

/** Whether nobody can tell any more what this action and those after it did. */
export const isCut = ({ replay }: ReplayableAction): boolean =>
  replay !== null && 'isCut' in (JSON.parse(replay) as KeptMoment)

/** Plays the next action of the log. One that no longer applies is skipped, as when the room is opened (RM60). */
export function record(recording: Recording, logged: ReplayableAction, blueprint: Blueprint): void {
  const { state, moment } = played(recording.last.state, logged, blueprint)
  recording.last = { number: logged.seq, at: logged.at, state }
  recording.characters += logged.action.length
  if (moment) recording.moments.push(moment)
  if (logged.seq % actionsPerCheckpoint === 0) recording.checkpoints.push(recording.last)
}

/** The room after an action, and what is told about it. */
export function played(
  state: RoomState,
  { seq, at, action: written, replay }: ReplayableAction,
  blueprint: Blueprint,
): { state: RoomState; moment: RoomMoment | null } {
  if (replay !== null) {
    const kept = JSON.parse(replay) as KeptMoment
    if ('isCut' in kept) return { state, moment: null }
    return { state: applyChange(state, kept.change) as RoomState, moment: kept.moment }
  }
  const action = JSON.parse(written) as RoomAction
  const reduction = applyLogged(state, action, at, blueprint)
  if (typeof reduction === 'string') return { state, moment: null }
  const { room: after, emitted } = reduction
  return { state: after, moment: momentOf({ number: seq, at, action, after, emitted }, blueprint) }
}

/** The moment itself, or the nearest one that can be replayed. */
export const clampedTo = ({ checkpoints, last }: Recording, number: number): number =>
  Math.min(Math.max(number, checkpoints[0]?.number ?? 0), last.number)

/** The point to start from to reach a moment. */
export const checkpointBefore = ({ checkpoints, last }: Recording, number: number): Point =>
  checkpoints.findLast((point) => point.number <= number) ?? last

/** RM140: the room after the action with this number, from a point before it and the log in between. */
export function stateAt(
  from: Point,
  log: readonly ReplayableAction[],
  number: number,
  blueprint: Blueprint,
): Point {
  let point = from
  for (const logged of log)
    if (logged.seq > point.number && logged.seq <= number)
      point = { number: logged.seq, at: logged.at, state: played(point.state, logged, blueprint).state }
  return point
}
