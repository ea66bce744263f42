import type { PlaybackState, RoomSnapshot } from '@atrium/contract'
import type { TurnShare } from '../../../kernel/turn-share.ts'
import { type AgentView, agentViewOf } from '../model/agent-view.ts'
import { collected } from '../model/collected.ts'
import { mayRest as mayStateRest, nextDeadline } from '../model/deadlines.ts'
import { playbackFor } from '../model/media.ts'
import type { RoomAction } from '../model/room-action.ts'
import type { RoomState } from '../model/room-state.ts'
import { snapshotFor } from '../model/view.ts'
import type { AgentCall, LateAssignment, Rest, RestOutcome } from '../rooms.store.ts'
import { strataIn } from '../rules/late-conditions.ts'
import { createRoomLog, type RoomLogDeps, type RoomRequest } from './room-log.ts'
import { createRoomTimer } from './room-timer.ts'

/** Thrown for a request that arrives while the room is put to rest; ask whoever opens it next. */
export class RoomRested extends Error {}

export interface LiveRoomDeps extends Omit<RoomLogDeps, 'onLost' | 'onAnswered'> {
  /** RM207 */
  assignCondition(late: LateAssignment): Promise<string | null>
  /** Puts the room to rest, durably, unless its epoch has moved on. */
  rest(rest: Rest): Promise<RestOutcome>
  /** Of all rooms together. */
  turnShare: TurnShare
  /** Nobody holds it: its clock stands still until `wake`, and it may rest even within a grace period. */
  isAsleep?: boolean
  /** The room's state here can no longer be trusted: its log refused us, or could not be reached. */
  onLost(reason: 'fenced' | 'failed' | 'elsewhere'): void
  /** A deadline could not be applied; it will be retried. */
  onTickFailed(error: unknown, failures: number): void
}

export interface LiveRoom {
  /** Applies an action durably and returns the number of the newest event. Refusals throw and change nothing. */
  dispatch(action: RoomAction, at?: number, calls?: readonly AgentCall[]): Promise<number>
  lose(reason: 'fenced' | 'failed' | 'elsewhere'): void
  /** RM77: deadlines that passed while nobody held the room are applied at their own times, one after another. */
  catchUp(): Promise<void>
  /** RM75: releases the room until somebody wakes it. Requests that arrive in the meantime wait for the outcome. */
  rest(): Promise<RestOutcome | 'busy'>
  /** Whether nobody who could take part is connected, and nothing is under way. */
  mayRest(): boolean
  /** Starts the room's clock. */
  wake(): void
  /** What is durable. */
  state(): RoomState
  snapshotFor(participantId: string): RoomSnapshot
  /** R44: what an agent is asked, while a turn of it is pending. */
  agentView(participantId: string): AgentView | undefined
  /** R27: everything that plays in step and that this participant sees. */
  playbackFor(participantId: string): PlaybackState[]
  /** Stops the room's clock here; the room itself continues wherever it is opened next. */
  stop(): void
}

/** A room that is held here: one action after another goes to its log, deadlines too, until it rests or is lost. */
// One function, because queue, rest and clock change the same flags, and only between two actions.
export function createLiveRoom(deps: LiveRoomDeps, restored: RoomState, restoredSeq: number): LiveRoom {
  const { blueprint, clock, epoch } = deps
  /** In order of arrival. */
  const waiting: RoomRequest[] = []
  /** Until the next turn of the event loop. */
  let isPutOff = false
  let isGoingToRest = false
  let hasRested = false
  let isAsleep = deps.isAsleep ?? false
  const timer = createRoomTimer({
    clock,
    async tick() {
      await assignConditions()
      await dispatch({ type: 'tick' })
    },
    onFailed: deps.onTickFailed,
  })
  const log = createRoomLog(
    {
      ...deps,
      onEmitted(room, ...news) {
        if (!isAsleep) timer.arm(room)
        deps.onEmitted(room, ...news)
      },
      onLost: lose,
      onAnswered(again) {
        waiting.unshift(...again)
        processQueue()
      },
    },
    restored,
    restoredSeq,
  )

  function lose(reason: 'fenced' | 'failed' | 'elsewhere'): void {
    if (log.isClosed()) return
    stop()
    deps.onLost(reason)
  }

  function stop(): void {
    log.close()
    timer.stop()
  }

  const dispatch = (action: RoomAction, at?: number, calls: readonly AgentCall[] = []): Promise<number> =>
    new Promise((resolve, reject) => {
      // First of all: an action that cannot be serialised takes no number. What is applied is what the log will say.
      const text = JSON.stringify(collected(action, blueprint.definition))
      const parsed = JSON.parse(text) as RoomAction
      waiting.push({ action: parsed, text, calls, resolve, reject, ...(at && { at }) })
      processQueue()
    })

  function processQueue(): void {
    while (!log.isGoingBack() && !isGoingToRest) {
      if (waiting.length > 0 && deps.turnShare.isUsedUp()) {
        if (!isPutOff)
          setImmediate(() => {
            isPutOff = false
            processQueue()
          })
        isPutOff = true
        return
      }
      const request = waiting.shift()
      if (!request) return
      try {
        if (hasRested) throw new RoomRested()
        log.apply(request)
      } catch (error) {
        request.reject(error)
      }
    }
  }

  /** RM207: of everyone who is to get one now. */
  async function assignConditions(at?: number): Promise<void> {
    const room = log.state()
    const { experimentId, revision } = room
    for (const seat of room.seats) {
      const { participantId, toAssignSince } = seat
      if (toAssignSince === undefined) continue
      const strata = strataIn(room, blueprint, seat)
      const condition = await deps.assignCondition({ experimentId, revision, participantId, strata })
      await dispatch({ type: 'assigned', participantId, condition }, at)
    }
  }

  async function catchUp(): Promise<void> {
    for (;;) {
      const due = nextDeadline(log.state())
      if (due === null || due > clock.now()) return
      await assignConditions(due)
      await dispatch({ type: 'tick' }, due)
    }
  }

  const mayRest = (): boolean =>
    !log.isClosed() &&
    !isGoingToRest &&
    log.isIdle() &&
    waiting.length === 0 &&
    (isAsleep || mayStateRest(log.state()))

  async function rest(): Promise<RestOutcome | 'busy'> {
    if (!mayRest()) return 'busy'
    isGoingToRest = true
    const { roomId } = log.state()
    try {
      const dueAt = nextDeadline(log.state())
      const outcome = await deps.rest({ roomId, epoch, dueAt, now: clock.now() })
      hasRested = outcome === 'resting' && !log.isClosed()
      if (hasRested) stop()
      if (outcome === 'fenced') lose('fenced')
      return outcome
    } catch (error) {
      // It may or may not be resting now; reading it again from the store decides.
      lose('failed')
      throw error
    } finally {
      isGoingToRest = false
      processQueue()
    }
  }

  if (!isAsleep) timer.arm(restored)
  return {
    dispatch,
    lose,
    catchUp,
    rest,
    mayRest,
    wake() {
      isAsleep = false
      timer.arm(log.state())
    },
    state: log.state,
    snapshotFor: (participantId) => snapshotFor(log.state(), blueprint, participantId, clock.now()),
    agentView: (participantId) => agentViewOf(log.state(), blueprint, participantId, clock.now()),
    playbackFor: (participantId) => playbackFor(log.state(), blueprint, participantId),
    stop,
  }
}
