import type { Blueprint } from '../model/blueprint.ts'
import type { RoomState } from '../model/room-state.ts'
import { actionsPerPage, type LoggedAction, type RoomRecord, type RoomStore } from '../rooms.store.ts'
import { emptyRoom } from '../rules/reduce-room.ts'
import { replayLog } from './replay-log.ts'

/** The room as its newest snapshot and the log after it have it. */
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
