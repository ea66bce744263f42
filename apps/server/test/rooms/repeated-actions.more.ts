import { waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'
import type { StoredSnapshot } from '../../src/modules/rooms/rooms.store.ts'
import { describeOnBothEngines } from '../stores/engines.ts'
import { heldRoomsOn } from './held-rooms.ts'

/** More than a seat remembers, and enough to cause a snapshot. */
const actions = 230

describeOnBothEngines('An action repeated much later', (engine) => {
  const held = heldRoomsOn(engine)

  async function talked() {
    const room = await held.newRoom()
    const snapshots: StoredSnapshot[] = []
    const { saveSnapshot } = engine().database.rooms
    const store = held.storeWith({
      saveSnapshot: async (snapshot) => {
        await saveSnapshot(snapshot)
        snapshots.push(snapshot)
      },
    })
    const rooms = held.instance('pod-0', store)
    await rooms.dispatch(room.roomId, { type: 'connected', participantId: room.participantId })
    const ids = Array.from({ length: actions }, (_, index) => `${index}`)
    const answers = await Promise.all(ids.map((id) => rooms.dispatch(room.roomId, room.say(id))))
    await waitUntil(() => snapshots.length > 0 || 'no snapshot was written')
    return { room, rooms, ids, answers }
  }

  it('[RM65] gets its first acknowledgement and is applied once, here and on the instance that takes the room over', async () => {
    const { room, rooms, ids, answers } = await talked()
    const repeatAll = (through: typeof rooms) =>
      Promise.all(ids.map((id) => through.dispatch(room.roomId, room.say(id))))
    expect(await repeatAll(rooms)).toEqual(answers)
    await rooms.stop()
    const other = held.instance('pod-1')
    expect(await repeatAll(other)).toEqual(answers)
    // Mixed with new actions, which are applied.
    const mixed = await Promise.all(
      ['new-1', '3', 'new-2', '4', 'new-3'].map((id) => other.dispatch(room.roomId, room.say(id))),
    )
    expect([mixed[1], mixed[3]]).toEqual([answers[3], answers[4]])
    await other.stop()
    expect(await held.saidIn(room.roomId)).toEqual([...ids, 'new-1', 'new-2', 'new-3'])
  })

  it('[RM65] ids are scoped to their participant and room', async () => {
    const { room, rooms } = await talked()
    const another = await held.newRoom()
    expect(await rooms.dispatch(another.roomId, another.say('0'))).toBeTypeOf('number')
    expect(await held.saidIn(another.roomId)).toEqual(['0'])
    expect(await held.saidIn(room.roomId)).toHaveLength(actions)
    await rooms.stop()
  })

  it('[RM65] stored by an earlier version is not applied again, although its acknowledgement is unknown', async () => {
    const { room, rooms } = await talked()
    await engine().rows(
      `update room_actions set answer = null where room_id = '${room.roomId}' returning seq`,
    )
    expect(await rooms.dispatch(room.roomId, room.say('0'))).toBeTypeOf('number')
    expect(await held.saidIn(room.roomId)).toHaveLength(actions)
    await rooms.stop()
  })
})
