import { waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { AppError } from '../../src/kernel/app-error.ts'
import type { Rooms } from '../../src/modules/rooms/index.ts'
import type { StoredSnapshot } from '../../src/modules/rooms/rooms.store.ts'
import { describeOnBothEngines } from '../stores/engines.ts'
import { heldRoomsOn } from './held-rooms.ts'

const actions = 210

describeOnBothEngines('Snapshots of rooms', (engine) => {
  const held = heldRoomsOn(engine)
  type Room = Awaited<ReturnType<typeof held.newRoom>>
  const talk = async (rooms: Rooms, { roomId, participantId, say }: Room, length = 10) => {
    await rooms.dispatch(roomId, { type: 'connected', participantId })
    const said = Array.from({ length: actions }, (_, index) => ({
      ...say(`${index}`),
      text: `${index} `.padEnd(length, 'x'),
    }))
    return await Promise.all(said.map((message) => rooms.dispatch(roomId, message)))
  }

  it('[RM64] are not written with appended actions: a slow one delays nobody', async () => {
    const [heavy, other] = [await held.newRoom(), await held.newRoom()]
    const { append } = engine().database.rooms
    let heaviest = 0
    const saving: StoredSnapshot[] = []
    let release = () => {}
    const hanging = new Promise<void>((done) => {
      release = done
    })
    const store = held.storeWith({
      append: async (appends) => {
        heaviest = Math.max(heaviest, ...appends.map((one) => JSON.stringify(one).length))
        return await append(appends)
      },
      saveSnapshot: async (snapshot) => {
        saving.push(snapshot)
        await hanging
      },
    })
    const rooms = held.instance('pod-0', store)
    const lost: string[] = []
    rooms.listen({ lost: (roomId) => lost.push(roomId) })
    await talk(rooms, heavy, 3_000)
    await waitUntil(() => saving.length === 1 || 'no snapshot is being written')
    expect(saving[0]?.state.length).toBeGreaterThan(heaviest * 10)
    // While it hangs, both rooms keep working.
    for (const room of [heavy, other])
      expect(await rooms.dispatch(room.roomId, { ...room.say('on'), actionId: 'on' })).toBeTypeOf('number')
    expect([saving.length, lost]).toEqual([1, []])
    release()
    await rooms.stop()
  })

  it.each([new AppError('UNAVAILABLE'), new Error('refused')])('[RM64] may fail: %s', async (failure) => {
    const room = await held.newRoom()
    const store = held.storeWith({ saveSnapshot: () => Promise.reject(failure) })
    const warnings: Record<string, unknown>[] = []
    const rooms = held.instance('pod-0', store, { warn: (facts) => warnings.push(facts) })
    const lost: string[] = []
    rooms.listen({ lost: (roomId) => lost.push(roomId) })
    expect(await talk(rooms, room)).toHaveLength(actions)
    await rooms.stop()
    expect([warnings, lost]).toEqual([[{ err: failure, roomId: room.roomId }], []])
    // The log is read in pages, however long it is.
    const { load, actionsAfter } = engine().database.rooms
    const pages: number[] = []
    const paged = held.storeWith({
      load: async (roomId) => {
        const loaded = await load(roomId)
        pages.push(loaded.actions.length)
        return loaded
      },
      actionsAfter: async (roomId, seq) => {
        const page = await actionsAfter(roomId, seq)
        pages.push(page.length)
        return page
      },
    })
    const next = held.instance('pod-1', paged)
    expect(await next.read(room.roomId)).toEqual(await rooms.read(room.roomId))
    // In addition, `opened` and `connected`.
    expect(pages).toEqual([100, 100, actions + 2 - 200])
    await next.stop()
  })

  it('[RM64] restore a room: it is read from the newest one and the actions after it', async () => {
    const room = await held.newRoom()
    const first = held.instance('pod-0')
    await talk(first, room)
    const before = await first.read(room.roomId)
    await first.stop()
    const { snapshot, actions: replayed } = await engine().database.rooms.load(room.roomId)
    expect([snapshot?.seq, replayed[0]?.seq]).toEqual([200, 201])
    const next = held.instance('pod-1')
    expect(await next.read(room.roomId)).toEqual(before)
    await next.dispatch(room.roomId, { type: 'end', reason: 'enough', by: 'researcher' })
    await next.stop()
    const ended = await engine().database.rooms.load(room.roomId)
    expect(ended.actions).toEqual([])
    expect(JSON.parse(ended.snapshot?.state ?? '{}')).toMatchObject({ status: { kind: 'ended' } })
  })
})
