import type { RoomSnapshot } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Blueprint } from './blueprint.ts'
import { nextDeadline } from './deadlines.ts'
import { reduceRoom } from './reduce-room.ts'
import type { RoomAction } from './room-action.ts'
import { toRecord } from './room-record.ts'
import type { RoomState } from './room-state.ts'
import type { RoomAppend, RoomAppendOutcome } from './rooms.store.ts'
import type { Emitted } from './turn.ts'
import { snapshotFor } from './view.ts'

export interface LiveRoomParts {
  blueprint: Blueprint
  clock: Clock
  epoch: number
  /** Durable when it resolves; appends of one room are stored in the order they were made. */
  append(append: RoomAppend): Promise<RoomAppendOutcome>
  /** Tells whoever listens what has durably happened. */
  onEmitted(room: RoomState, emitted: Emitted[]): void
  /** The room can no longer be trusted here: its log refused us, or could not be reached. */
  onLost(reason: 'fenced' | 'failed' | 'elsewhere'): void
}

/** A snapshot costs as much as a few dozen actions; after so many a restart replays fewer than this. */
const actionsPerSnapshot = 200
const longestTimerMs = 2_147_483_647

export type LiveRoom = ReturnType<typeof createLiveRoom>

/**
 * The shell around the reducer: one action after the other, stored before it is acknowledged or told. The next
 * action may be worked out while the one before is on its way to the disk; should that write fail, all of it is
 * forgotten and the room is read again from its log.
 */
export function createLiveRoom(parts: LiveRoomParts, restored: RoomState, restoredSeq: number) {
  const { blueprint, clock, epoch } = parts
  let newest = restored
  let durable = restored
  let logSeq = restoredSeq
  let timer: NodeJS.Timeout | undefined
  let isLost = false

  function lose(reason: 'fenced' | 'failed' | 'elsewhere'): void {
    if (isLost) return
    isLost = true
    clearTimeout(timer)
    parts.onLost(reason)
  }

  function arm(): void {
    clearTimeout(timer)
    const due = isLost ? null : nextDeadline(durable)
    if (due === null) return
    const delay = Math.min(Math.max(0, due - clock.now()), longestTimerMs)
    timer = setTimeout(() => void dispatch({ type: 'tick' }).catch(() => undefined), delay)
    timer.unref()
  }

  function appendOf(
    action: RoomAction,
    at: number,
    state: RoomState,
    records: RoomAppend['records'],
  ): RoomAppend {
    logSeq++
    const status = state.status.kind === newest.status.kind ? null : state.status
    return {
      roomId: state.roomId,
      epoch,
      seq: logSeq,
      at,
      action: JSON.stringify(action),
      actor: 'by' in action ? action.by : 'participantId' in action ? action.participantId : 'clock',
      actionId: 'actionId' in action ? action.actionId : null,
      records,
      snapshot: status?.kind === 'ended' || logSeq % actionsPerSnapshot === 0 ? JSON.stringify(state) : null,
      status,
    }
  }

  /** Applies an action durably; the number of the newest event then. Refusals throw and change nothing. */
  async function dispatch(action: RoomAction): Promise<number> {
    if (isLost) throw new AppError('ROOM_ELSEWHERE')
    const at = clock.now()
    const reduction = reduceRoom(newest, action, at, blueprint)
    if (reduction.kind === 'repeated') return reduction.seq
    if (reduction.kind === 'refused')
      throw new AppError(reduction.refusal.code, {}, reduction.refusal.message)
    const { room, emitted, records } = reduction
    const append = appendOf(action, at, room, records.map(toRecord))
    newest = room
    await store(append)
    durable = room
    parts.onEmitted(room, emitted)
    arm()
    return room.seq
  }

  async function store(append: RoomAppend): Promise<void> {
    let outcome: RoomAppendOutcome
    try {
      outcome = await parts.append(append)
    } catch (error) {
      lose('failed')
      throw error
    }
    if (outcome.kind === 'fenced') lose('fenced')
    if (isLost) throw new AppError('ROOM_ELSEWHERE')
  }

  arm()
  return {
    dispatch,
    lose,
    state: (): RoomState => durable,
    snapshotFor: (participantId: string): RoomSnapshot =>
      snapshotFor(durable, blueprint, participantId, clock.now()),
    /** Stops the clock of the room here; the room itself goes on wherever it is opened next. */
    stop(): void {
      isLost = true
      clearTimeout(timer)
    },
  }
}
