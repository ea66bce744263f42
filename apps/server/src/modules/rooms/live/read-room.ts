import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Blueprint } from '../model/blueprint.ts'
import type { RoomAction } from '../model/room-action.ts'
import type { RoomState } from '../model/room-state.ts'
import { actionsPerPage, type LoggedAction, type RoomRecord, type RoomStore } from '../rooms.store.ts'
import { emptyRoom } from '../rules/opening.ts'
import { type Reduction, reduceRoom } from '../rules/reduce-room.ts'

/** Reads a room from its newest snapshot and the log after it. */
export async function readRoom(store: RoomStore, room: RoomRecord, blueprint: Blueprint) {
  const { snapshot, actions } = await store.load(room.roomId)
  const from = snapshot ? (JSON.parse(snapshot.state) as RoomState) : emptyRoom(room, blueprint)
  let seq = snapshot?.seq ?? 0

  async function* log(): AsyncGenerator<LoggedAction> {
    for (let page = actions; ; page = await store.actionsAfter(room.roomId, seq)) {
      for (const action of page) {
        seq = action.seq
        yield action
      }
      if (page.length < actionsPerPage) return
    }
  }

  const replayed = await replayLog(from, log(), blueprint)
  return {
    ...replayed,
    seq,
    snapshot: { seq: snapshot?.seq ?? 0, length: snapshot?.state.length ?? 0 },
  }
}

/** Logged actions that no longer apply, because the rules have changed since. */
interface Skipped {
  actions: number
  firstSeq: number
  /** Why the first of them was skipped. */
  reason: string
}

/** An action costs up to some 45 ms (RM62) and a log may hold hundreds, so replaying yields to other work. */
const longestTurnMs = 20

/** Applies a log to a state. The state counts the actions that had to be skipped. */
export async function replayLog(
  from: RoomState,
  log: Iterable<LoggedAction> | AsyncIterable<LoggedAction>,
  blueprint: Blueprint,
): Promise<{ state: RoomState; skipped: Skipped | null }> {
  let state = from
  let turnBeganAt = performance.now()
  const left: { seq: number; reason: string }[] = []
  for await (const { seq, at, action } of log) {
    const reduction = applyLogged(state, JSON.parse(action) as RoomAction, at, blueprint)
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

/** Returns why the action does not apply, if it does not. A rule that throws must not make the room unreadable. */
export function applyLogged(
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
