import type { RoomMoment } from '@atrium/contract'
import { applyLogged } from '../live/read-room.ts'
import type { Blueprint } from '../model/blueprint.ts'
import type { RoomAction } from '../model/room-action.ts'
import type { RoomState } from '../model/room-state.ts'
import type { LoggedAction } from '../rooms.store.ts'
import { momentOf } from './moment.ts'

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
const mostActions = 20_000
export const mostCharacters = 16_777_216
const actionsPerCheckpoint = 100

export const isFull = ({ last, checkpoints, characters }: Recording): boolean =>
  last.number - (checkpoints[0]?.number ?? 0) >= mostActions || characters >= mostCharacters

export const beginRecording = (from: Point, moments: RoomMoment[] = []): Recording => ({
  moments,
  checkpoints: [from],
  last: from,
  characters: 0,
  isWhole: moments.length === 0,
})

/** Plays the next action of the log. One that no longer applies is skipped, as when the room is opened (RM60). */
export function record(recording: Recording, logged: LoggedAction, blueprint: Blueprint): void {
  const { state, emitted } = played(recording.last.state, logged, blueprint)
  recording.last = { number: logged.seq, at: logged.at, state }
  recording.characters += logged.action.length
  if (emitted) {
    const action = JSON.parse(logged.action) as RoomAction
    const moment = momentOf({ number: logged.seq, at: logged.at, action, after: state, emitted }, blueprint)
    if (moment) recording.moments.push(moment)
  }
  if (logged.seq % actionsPerCheckpoint === 0) recording.checkpoints.push(recording.last)
}

function played(state: RoomState, { at, action }: LoggedAction, blueprint: Blueprint) {
  const reduction = applyLogged(state, JSON.parse(action) as RoomAction, at, blueprint)
  return typeof reduction === 'string'
    ? { state, emitted: null }
    : { state: reduction.room, emitted: reduction.emitted }
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
  log: readonly LoggedAction[],
  number: number,
  blueprint: Blueprint,
): Point {
  let point = from
  for (const logged of log)
    if (logged.seq > point.number && logged.seq <= number)
      point = { number: logged.seq, at: logged.at, state: played(point.state, logged, blueprint).state }
  return point
}
