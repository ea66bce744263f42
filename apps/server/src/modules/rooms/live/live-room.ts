import type { RoomSnapshot } from '@atrium/contract'
import { AppError, isUnavailable } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Blueprint } from '../model/blueprint.ts'
import { nextDeadline } from '../model/deadlines.ts'
import type { RoomAction } from '../model/room-action.ts'
import type { RoomState } from '../model/room-state.ts'
import type { Emitted } from '../model/turn.ts'
import { snapshotFor } from '../model/view.ts'
import type { Rest, RestOutcome, RoomAppend, RoomAppendOutcome } from '../rooms.store.ts'
import { answerTo, earlierSeq, type Reduction, reduceRoom } from '../rules/reduce-room.ts'
import { isAtRest, RoomRested } from './resting.ts'
import { appendOf, hasForgotten } from './room-append.ts'
import { createRoomTimer } from './room-timer.ts'

export interface LiveRoomParts {
  blueprint: Blueprint
  clock: Clock
  epoch: number
  /** Durable when it resolves; appends of one room are stored, or refused, in the order they were made. */
  append(append: RoomAppend): Promise<RoomAppendOutcome>
  firstAnswer(actor: string, actionId: string): Promise<number | null | undefined>
  /** Lets the room rest, durably, unless its epoch has moved on. */
  rest(rest: Rest): Promise<RestOutcome>
  /** Nobody holds it: its clock stands still until `wake`, and it may rest whatever its graces are. */
  isAsleep?: boolean
  /** Tells whoever listens what has durably happened. */
  onEmitted(room: RoomState, emitted: Emitted[]): void
  /** Told of each durable state, after it was acknowledged. */
  onKept(room: RoomState, seq: number): void
  /** The room can no longer be trusted here: its log refused us, or could not be reached. */
  onLost(reason: 'fenced' | 'failed' | 'elsewhere'): void
  /** A deadline could not be kept; it is tried again. */
  onTickFailed(error: unknown, failures: number): void
}

/** Somebody who waits for what becomes of an action. */
interface Request {
  action: RoomAction
  /** When it happens; now, when absent. */
  at?: number
  /** The action as the log keeps it. */
  text: string
  resolve(seq: number): void
  reject(error: unknown): void
}

/** A place in the log, and what the room came to there. */
interface Point {
  state: RoomState
  seq: number
}

type Applied = Extract<Reduction, { kind: 'applied' }>

export type LiveRoom = ReturnType<typeof createLiveRoom>

/**
 * The shell around the reducer: one action after the other, stored before it is acknowledged or told. The next action
 * may be worked out while the one before is on its way to the disk. When the store is away, all of that is forgotten
 * and the room is read again from its log. When the store refuses one action, only that one fails: the room goes back to
 * what is durable, and what was worked out after it is worked out again without it. So it does when the store knows that
 * an action was done before.
 */
export function createLiveRoom(parts: LiveRoomParts, restored: RoomState, restoredSeq: number) {
  const { blueprint, clock, epoch } = parts
  let durable: Point = { state: restored, seq: restoredSeq }
  let newest = durable
  /** In the order in which they came. */
  const waiting: Request[] = []
  /** Worked out on a state that was given up. */
  const again: Request[] = []
  /** Repeats of an action that is not durable yet. */
  const repeats: Request[] = []
  let underWay = 0
  let generation = 0
  let isGoingBack = false
  let isGoingToRest = false
  let hasRested = false
  let isAsleep = parts.isAsleep ?? false
  let isLost = false
  const timer = createRoomTimer({
    clock,
    tick: () => dispatch({ type: 'tick' }),
    onFailed: parts.onTickFailed,
  })

  function lose(reason: 'fenced' | 'failed' | 'elsewhere'): void {
    if (isLost) return
    stop()
    parts.onLost(reason)
  }

  function stop(): void {
    isLost = true
    timer.stop()
  }

  /** Applies an action durably; the number of the newest event then. Refusals throw and change nothing. */
  const dispatch = (action: RoomAction, at?: number): Promise<number> =>
    new Promise((resolve, reject) => {
      // Before anything else: one that cannot be written takes no number. What is applied is what the log will say.
      const text = JSON.stringify(action)
      waiting.push({ action: JSON.parse(text) as RoomAction, text, resolve, reject, ...(at && { at }) })
      workOff()
    })

  function workOff(): void {
    while (!isGoingBack && !isGoingToRest) {
      const request = waiting.shift()
      if (!request) return
      try {
        workOut(request)
      } catch (error) {
        request.reject(error)
      }
    }
  }

  function workOut(request: Request): void {
    if (hasRested) throw new RoomRested()
    if (isLost) throw new AppError('ROOM_ELSEWHERE')
    const { action, text, at = clock.now() } = request
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
    const append = appendOf({ action, text, at, ...place, definition, reduction })
    newest = { state: reduction.room, seq: append.seq }
    void store(request, append, reduction)
  }

  /** What was done long ago may be impossible now: its repeat gets the first answer all the same. */
  async function refuseUnlessDone({ action, resolve, reject }: Request, refusal: AppError): Promise<void> {
    if (!('actionId' in action) || !hasForgotten(newest.state, action.participantId)) return reject(refusal)
    const answer = await parts.firstAnswer(action.participantId, action.actionId).catch(() => undefined)
    if (answer === undefined) reject(refusal)
    else resolve(answer ?? durable.state.seq)
  }

  async function store(request: Request, append: RoomAppend, applied: Applied): Promise<void> {
    const workedOutIn = generation
    underWay++
    try {
      const outcome = await parts.append(append)
      if (isLost) throw new AppError('ROOM_ELSEWHERE')
      if (outcome.kind === 'repeated') {
        // Longer ago than the seat remembers. It happened then, and not again now.
        if (workedOutIn === generation) goBack()
        request.resolve(outcome.answer ?? durable.state.seq)
      } else if (workedOutIn !== generation) again.push(request)
      else if (outcome.kind === 'stored') keep(request, append.seq, applied)
      else {
        lose('fenced')
        throw new AppError('ROOM_ELSEWHERE')
      }
    } catch (error) {
      if (isUnavailable(error)) lose('failed')
      else if (!isLost && workedOutIn === generation) goBack()
      request.reject(error)
    } finally {
      underWay--
      afterStore()
    }
  }

  function keep(request: Request, seq: number, { room, emitted }: Applied): void {
    durable = { state: room, seq }
    if (!isAsleep) timer.arm(room)
    request.resolve(answerTo(room, request.action))
    parts.onEmitted(room, emitted)
    parts.onKept(room, seq)
  }

  /** The store refuses what came after the durable state: it never happened. */
  function goBack(): void {
    generation++
    isGoingBack = true
    newest = durable
  }

  function afterStore(): void {
    // Until everything of the state that was given up is settled, its numbers could still be taken.
    if (underWay === 0) isGoingBack = false
    if (!isGoingBack) waiting.unshift(...again.splice(0), ...repeats.splice(0))
    workOff()
  }

  /** RM77: what came due while nobody held the room happens at its own time, one deadline after the other. */
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
    (isAsleep || isAtRest(durable.state))

  /** RM75: gives the room up here, for whoever wakes it. What comes meanwhile waits for how this ends. */
  async function rest(): Promise<RestOutcome | 'busy'> {
    if (!mayRest()) return 'busy'
    isGoingToRest = true
    const { roomId } = durable.state
    try {
      const dueAt = nextDeadline(durable.state)
      const outcome = await parts.rest({ roomId, epoch, dueAt, now: clock.now() })
      hasRested = outcome === 'resting' && !isLost
      if (hasRested) stop()
      if (outcome === 'fenced') lose('fenced')
      return outcome
    } catch (error) {
      // It may rest or not: read again from what is stored, it is one or the other.
      lose('failed')
      throw error
    } finally {
      isGoingToRest = false
      workOff()
    }
  }

  if (!isAsleep) timer.arm(restored)
  return {
    dispatch,
    lose,
    catchUp,
    rest,
    /** Whether nobody is there who could take part, nor anything under way. */
    mayRest,
    /** From here on its clock runs. */
    wake(): void {
      isAsleep = false
      timer.arm(durable.state)
    },
    state: (): RoomState => durable.state,
    snapshotFor: (participantId: string): RoomSnapshot =>
      snapshotFor(durable.state, blueprint, participantId, clock.now()),
    /** Stops the clock of the room here; the room itself goes on wherever it is opened next. */
    stop,
  }
}
