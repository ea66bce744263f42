import type { PlaybackState, RoomSnapshot } from '@atrium/contract'
import { AppError, isUnavailable } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { type Quota, quotaExceeded } from '../../../kernel/quota.ts'
import type { TurnShare } from '../../../kernel/turn-share.ts'
import { type AgentView, agentViewOf } from '../model/agent-view.ts'
import type { Blueprint } from '../model/blueprint.ts'
import { collected } from '../model/collected.ts'
import { mayRest as mayStateRest, nextDeadline } from '../model/deadlines.ts'
import { playbackFor } from '../model/media.ts'
import type { PlaybackPush } from '../model/playback.ts'
import { actionIdOf, actorOf, type RoomAction } from '../model/room-action.ts'
import type { Emitted } from '../model/room-audience.ts'
import type { RoomState } from '../model/room-state.ts'
import { snapshotFor } from '../model/view.ts'
import type { AgentCall, Rest, RestOutcome, RoomAppend, RoomAppendOutcome } from '../rooms.store.ts'
import { answerTo, earlierSeq, type Reduction, reduceRoom } from '../rules/reduce-room.ts'
import { appendOf, hasForgotten } from './room-append.ts'
import { createRoomTimer } from './room-timer.ts'

/** Thrown for a request that arrives while the room is put to rest; ask whoever opens it next. */
export class RoomRested extends Error {}

export interface LiveRoomDeps {
  blueprint: Blueprint
  clock: Clock
  epoch: number
  quota: Quota
  /** Durable once it resolves; appends of one room are stored, or refused, in the order of the calls. */
  append(append: RoomAppend): Promise<RoomAppendOutcome>
  firstAnswer(actor: string, actionId: string): Promise<number | null | undefined>
  /** Puts the room to rest, durably, unless its epoch has moved on. */
  rest(rest: Rest): Promise<RestOutcome>
  /** Of all rooms together. */
  turnShare: TurnShare
  /** Nobody holds it: its clock stands still until `wake`, and it may rest even within a grace period. */
  isAsleep?: boolean
  /** Called with what has durably happened. */
  onEmitted(room: RoomState, emitted: Emitted[], played: PlaybackPush[]): void
  /** Called with each durable state, after its action was acknowledged. */
  onKept(room: RoomState, seq: number): void
  /** The room's state here can no longer be trusted: its log refused us, or could not be reached. */
  onLost(reason: 'fenced' | 'failed' | 'elsewhere'): void
  /** A deadline could not be applied; it will be retried. */
  onTickFailed(error: unknown, failures: number): void
}

/** An action and the caller who waits for it. */
interface Request {
  action: RoomAction
  /** When it happens; now when absent. */
  at?: number
  /** The action as it is logged. */
  text: string
  /** R45: the calls of a model that led to it. */
  calls: readonly AgentCall[]
  resolve(seq: number): void
  reject(error: unknown): void
}

/** A position in the log, and the room's state at it. */
interface Point {
  state: RoomState
  seq: number
}

type Applied = Extract<Reduction, { kind: 'applied' }>

export type LiveRoom = ReturnType<typeof createLiveRoom>

/**
 * The shell around the reducer: one action after another, each stored before it is acknowledged or sent. The next action
 * may be computed while the one before is on its way to the disk. If the store is unavailable, all of that is dropped and
 * the room is read again from its log. If the store refuses one action, only that one fails: the room goes back to what is
 * durable, and later actions are computed again without it. The same happens when the store finds that an action is a
 * repeat.
 */
export function createLiveRoom(deps: LiveRoomDeps, restored: RoomState, restoredSeq: number) {
  const { blueprint, clock, epoch, quota } = deps
  let durable: Point = { state: restored, seq: restoredSeq }
  let newest = durable
  /** In order of arrival. */
  const waiting: Request[] = []
  /** Computed on a state that was discarded. */
  const again: Request[] = []
  /** Repeats of an action that is not durable yet. */
  const repeats: Request[] = []
  let underWay = 0
  /** Until the next turn of the event loop. */
  let isPutOff = false
  let generation = 0
  let isGoingBack = false
  let isGoingToRest = false
  let hasRested = false
  let isAsleep = deps.isAsleep ?? false
  let isLost = false
  const timer = createRoomTimer({
    clock,
    tick: () => dispatch({ type: 'tick' }),
    onFailed: deps.onTickFailed,
  })

  function lose(reason: 'fenced' | 'failed' | 'elsewhere'): void {
    if (isLost) return
    stop()
    deps.onLost(reason)
  }

  function stop(): void {
    isLost = true
    timer.stop()
  }

  /** Applies an action durably and returns the number of the newest event. Refusals throw and change nothing. */
  const dispatch = (action: RoomAction, at?: number, calls: readonly AgentCall[] = []): Promise<number> =>
    new Promise((resolve, reject) => {
      // First of all: an action that cannot be serialised takes no number. What is applied is what the log will say.
      const text = JSON.stringify(collected(action, blueprint.definition))
      const parsed = JSON.parse(text) as RoomAction
      waiting.push({ action: parsed, text, calls, resolve, reject, ...(at && { at }) })
      processQueue()
    })

  function processQueue(): void {
    while (!isGoingBack && !isGoingToRest) {
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
        reduce(request)
      } catch (error) {
        request.reject(error)
      }
    }
  }

  function reduce(request: Request): void {
    if (hasRested) throw new RoomRested()
    if (isLost) throw new AppError('ROOM_ELSEWHERE')
    const { action, text, calls, at = clock.now() } = request
    const reduction = reduceRoom(newest.state, action, at, blueprint)
    if (reduction.kind === 'refused') {
      const refusal = new AppError(reduction.refusal.code, {}, reduction.refusal.message)
      void refuseUnlessDone(request, refusal)
      return
    }
    if (reduction.kind === 'repeated') {
      const answer = earlierSeq(durable.state, action)
      if (answer === undefined) repeats.push(request)
      else request.resolve(answer)
      return
    }
    const { definition } = blueprint
    const place = { epoch, seq: newest.seq + 1, before: newest.state }
    const append = appendOf({ action, text, at, ...place, definition, quota, reduction, calls })
    newest = { state: reduction.room, seq: append.seq }
    void store(request, append, reduction)
  }

  /** An action from long ago may be impossible now; a repeat of it gets the first answer all the same. */
  async function refuseUnlessDone({ action, resolve, reject }: Request, refusal: AppError): Promise<void> {
    const actionId = actionIdOf(action)
    const actor = actorOf(action)
    if (actionId === null || actor === null || !hasForgotten(newest.state, actor)) return reject(refusal)
    const answer = await deps.firstAnswer(actor, actionId).catch(() => undefined)
    if (answer === undefined) reject(refusal)
    else resolve(answer ?? durable.state.seq)
  }

  async function store(request: Request, append: RoomAppend, applied: Applied): Promise<void> {
    const computedIn = generation
    underWay++
    try {
      const outcome = await deps.append(append)
      if (isLost) throw new AppError('ROOM_ELSEWHERE')
      if (outcome.kind === 'repeated') {
        // Longer ago than the seat remembers. It happened then, and does not happen again.
        if (computedIn === generation) goBack()
        request.resolve(outcome.answer ?? durable.state.seq)
      } else if (outcome.kind === 'over_quota') {
        if (computedIn === generation) goBack()
        throw quotaExceeded(outcome.over)
      } else if (computedIn !== generation) again.push(request)
      else if (outcome.kind === 'stored') keep(request, append.seq, applied)
      else {
        lose('fenced')
        throw new AppError('ROOM_ELSEWHERE')
      }
    } catch (error) {
      if (isUnavailable(error)) lose('failed')
      else if (!isLost && computedIn === generation) goBack()
      request.reject(error)
    } finally {
      underWay--
      afterStore()
    }
  }

  function keep(request: Request, seq: number, { room, emitted, played }: Applied): void {
    durable = { state: room, seq }
    if (!isAsleep) timer.arm(room)
    request.resolve(answerTo(room, request.action))
    deps.onEmitted(room, emitted, played)
    deps.onKept(room, seq)
  }

  /** The store refused what came after the durable state, so it never happened. */
  function goBack(): void {
    generation++
    isGoingBack = true
    newest = durable
  }

  function afterStore(): void {
    // Until every append of the discarded state has been answered, its numbers could still be taken.
    if (underWay === 0) isGoingBack = false
    if (!isGoingBack) waiting.unshift(...again.splice(0), ...repeats.splice(0))
    processQueue()
  }

  /** RM77: deadlines that passed while nobody held the room are applied at their own times, one after another. */
  async function catchUp(): Promise<void> {
    for (;;) {
      const due = nextDeadline(durable.state)
      if (due === null || due > clock.now()) return
      await dispatch({ type: 'tick' }, due)
    }
  }

  const mayRest = (): boolean =>
    !isLost &&
    !isGoingToRest &&
    underWay === 0 &&
    waiting.length === 0 &&
    (isAsleep || mayStateRest(durable.state))

  /** RM75: releases the room until somebody wakes it. Requests that arrive in the meantime wait for the outcome. */
  async function rest(): Promise<RestOutcome | 'busy'> {
    if (!mayRest()) return 'busy'
    isGoingToRest = true
    const { roomId } = durable.state
    try {
      const dueAt = nextDeadline(durable.state)
      const outcome = await deps.rest({ roomId, epoch, dueAt, now: clock.now() })
      hasRested = outcome === 'resting' && !isLost
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
    /** Whether nobody who could take part is connected, and nothing is under way. */
    mayRest,
    /** Starts the room's clock. */
    wake(): void {
      isAsleep = false
      timer.arm(durable.state)
    },
    state: (): RoomState => durable.state,
    snapshotFor: (participantId: string): RoomSnapshot =>
      snapshotFor(durable.state, blueprint, participantId, clock.now()),
    /** R44: what an agent is asked, while a turn of it is pending. */
    agentView: (participantId: string): AgentView | undefined =>
      agentViewOf(durable.state, blueprint, participantId, clock.now()),
    /** R27: everything that plays in step and that this participant sees. */
    playbackFor: (participantId: string): PlaybackState[] =>
      playbackFor(durable.state, blueprint, participantId),
    /** Stops the room's clock here; the room itself continues wherever it is opened next. */
    stop,
  }
}
