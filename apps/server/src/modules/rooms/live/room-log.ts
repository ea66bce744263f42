import type { ExperimentDefinition } from '@atrium/contract'
import { AppError, isUnavailable } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { createGroupCommit } from '../../../kernel/group-commit.ts'
import { type Quota, quotaExceeded } from '../../../kernel/quota.ts'
import { weightOfAppend } from '../append-size.plan.ts'
import type { Blueprint } from '../model/blueprint.ts'
import type { PlaybackPush } from '../model/playback.ts'
import { actionIdOf, actorOf, type RoomAction } from '../model/room-action.ts'
import type { Emitted } from '../model/room-audience.ts'
import type { RoomState } from '../model/room-state.ts'
import type { AgentCall, RoomAppend, RoomAppendOutcome, RoomStore } from '../rooms.store.ts'
import { answerTo, earlierSeq, type Reduction, reduceRoom } from '../rules/reduce-room.ts'
import { appendOf, hasForgotten } from './room-append.ts'

/** An action and the caller who waits for it. */
export interface RoomRequest {
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

export interface RoomLogDeps {
  blueprint: Blueprint
  clock: Clock
  epoch: number
  quota: Quota
  /** Durable once it resolves; appends of one room are stored, or refused, in the order of the calls. */
  append(append: RoomAppend): Promise<RoomAppendOutcome>
  firstAnswer(actor: string, actionId: string): Promise<number | null | undefined>
  /** Called with what has durably happened. */
  onEmitted(
    room: RoomState,
    emitted: Emitted[],
    played: PlaybackPush[],
    definition: ExperimentDefinition,
  ): void
  /** Called with each durable state, after its action was acknowledged. */
  onKept(room: RoomState, seq: number): void
  /** The log refused us, or could not be reached. */
  onLost(reason: 'fenced' | 'failed'): void
  /** An append has been answered. These requests, if any, must be applied again before all others. */
  onAnswered(again: readonly RoomRequest[]): void
}

/** A position in the log, and the room's state at it. */
interface Point {
  state: RoomState
  seq: number
}

export interface RoomLog {
  /** Refusals throw, and change nothing. */
  apply(request: RoomRequest): void
  /** The room's durable state. */
  state(): RoomState
  /** Until this is over, nothing may be applied. */
  isGoingBack(): boolean
  /** Nothing is on its way to the store. */
  isIdle(): boolean
  isClosed(): boolean
  /** The state here can no longer be trusted, or the room is held elsewhere. */
  close(): void
}

type Applied = Extract<Reduction, { kind: 'applied' }>

/**
 * The only way to change a room: an action is applied, appended under the epoch, and acknowledged and published once it
 * is durable. The next action may be computed while the one before is on its way to the disk. If the store is
 * unavailable, all of that is dropped and the room is read again from its log. If the store refuses one action, only
 * that one fails: the room goes back to what is durable, and later actions are computed again without it. The same
 * happens when the store finds that an action is a repeat.
 */
// One function, because what is durable, what is newest and what must be computed again change together.
export function createRoomLog(deps: RoomLogDeps, restored: RoomState, restoredSeq: number): RoomLog {
  const { blueprint, clock, epoch, quota } = deps
  let durable: Point = { state: restored, seq: restoredSeq }
  let newest = durable
  /** Computed on a state that was discarded. */
  const again: RoomRequest[] = []
  /** Repeats of an action that is not durable yet. */
  const repeats: RoomRequest[] = []
  let underWay = 0
  let generation = 0
  let isGoingBack = false
  let isClosed = false

  function apply(request: RoomRequest): void {
    if (isClosed) throw new AppError('ROOM_ELSEWHERE')
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
  async function refuseUnlessDone(
    { action, resolve, reject }: RoomRequest,
    refusal: AppError,
  ): Promise<void> {
    const actionId = actionIdOf(action)
    const actor = actorOf(action)
    if (actionId === null || actor === null || !hasForgotten(newest.state, actor)) return reject(refusal)
    const answer = await deps.firstAnswer(actor, actionId).catch(() => undefined)
    if (answer === undefined) reject(refusal)
    else resolve(answer ?? durable.state.seq)
  }

  async function store(request: RoomRequest, append: RoomAppend, applied: Applied): Promise<void> {
    const computedIn = generation
    underWay++
    try {
      const outcome = await deps.append(append)
      if (isClosed) throw new AppError('ROOM_ELSEWHERE')
      if (outcome.kind === 'repeated') {
        // Longer ago than the seat remembers. It happened then, and does not happen again.
        if (computedIn === generation) goBack()
        request.resolve(outcome.answer ?? durable.state.seq)
      } else if (outcome.kind === 'over_quota') {
        if (computedIn === generation) goBack()
        throw quotaExceeded(outcome.over)
      } else if (computedIn !== generation) again.push(request)
      else if (outcome.kind === 'stored') publish(request, append.seq, applied)
      else {
        deps.onLost('fenced')
        throw new AppError('ROOM_ELSEWHERE')
      }
    } catch (error) {
      if (isUnavailable(error)) deps.onLost('failed')
      else if (!isClosed && computedIn === generation) goBack()
      request.reject(error)
    } finally {
      underWay--
      afterStore()
    }
  }

  function publish(request: RoomRequest, seq: number, { room, emitted, played }: Applied): void {
    durable = { state: room, seq }
    request.resolve(answerTo(room, request.action))
    deps.onEmitted(room, emitted, played, deps.blueprint.definition)
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
    deps.onAnswered(isGoingBack ? [] : [...again.splice(0), ...repeats.splice(0)])
  }

  return {
    apply,
    state: () => durable.state,
    isGoingBack: () => isGoingBack,
    isIdle: () => underWay === 0,
    isClosed: () => isClosed,
    close() {
      isClosed = true
    },
  }
}

/**
 * At 400 actions a second, four share a commit instead of each paying for its own, and people wait 5 ms longer on average
 * (ADR 33).
 */
export const roomCommitEveryMs = 10

const groups = {
  maxItems: 256,
  // By weight as well, as for events: one participant's heavy action would slow down its whole group.
  maxWeight: 1_048_576,
  weightOf: weightOfAppend,
  // Only what people and agents do waits: rooms are opened and brought up to date by one action after another.
  pace: { everyMs: roomCommitEveryMs, mayWait: ({ actionId }: RoomAppend) => actionId !== null },
}

/** The appends of all rooms here, of which many share a commit. */
export function createRoomCommits(store: Pick<RoomStore, 'append'>) {
  let recorded = 0
  const commits = createGroupCommit(async (appends: RoomAppend[]) => {
    const outcomes = await store.append(appends)
    appends.forEach(({ records }, index) => {
      if (outcomes[index]?.kind === 'stored') recorded += records.length
    })
    return outcomes
  }, groups)
  return {
    append: commits.add,
    /** What rooms have written into the participants' records. */
    figures: () => ({ recorded, commits: commits.commits() }),
    drain: commits.drain,
  }
}
