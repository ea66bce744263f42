import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Blueprint } from '../model/blueprint.ts'
import type { RoomAction } from '../model/room-action.ts'
import type { RoomState } from '../model/room-state.ts'
import type { LoggedAction } from '../rooms.store.ts'
import { type Reduction, reduceRoom } from '../rules/reduce-room.ts'

/** Actions that were applied when they were logged and are not any more: the rules have changed since. */
interface Skipped {
  actions: number
  firstSeq: number
  /** Why the first of them was left out. */
  reason: string
}

/** An action costs up to some 45 ms (RM62), and a log may hold hundreds: others go on in between. */
const longestTurnMs = 20

/** What a log comes to from a state on. The room keeps in its state how many actions had to be left out. */
export async function replayLog(
  from: RoomState,
  log: Iterable<LoggedAction> | AsyncIterable<LoggedAction>,
  blueprint: Blueprint,
): Promise<{ state: RoomState; skipped: Skipped | null }> {
  let state = from
  let turnBeganAt = performance.now()
  const left: { seq: number; reason: string }[] = []
  for await (const { seq, at, action } of log) {
    const reduction = reduced(state, JSON.parse(action) as RoomAction, at, blueprint)
    if (typeof reduction === 'string') left.push({ seq, reason: reduction })
    else state = reduction.room
    if (performance.now() - turnBeganAt < longestTurnMs) continue
    await nextTurn()
    turnBeganAt = performance.now()
  }
  const [first] = left
  if (!first) return { state, skipped: null }
  const skippedActions = (state.skippedActions ?? 0) + left.length
  return {
    state: { ...state, skippedActions },
    skipped: { actions: left.length, firstSeq: first.seq, reason: first.reason },
  }
}

/** Why it does not apply, if it does not. A rule that throws must not keep the room from being opened for ever. */
function reduced(
  state: RoomState,
  action: RoomAction,
  at: number,
  blueprint: Blueprint,
): Extract<Reduction, { kind: 'applied' }> | string {
  try {
    const reduction = reduceRoom(state, action, at, blueprint)
    if (reduction.kind === 'applied') return reduction
    return reduction.kind === 'refused' ? reduction.refusal.code : reduction.kind
  } catch (error) {
    return error instanceof Error ? error.name : 'unknown'
  }
}
