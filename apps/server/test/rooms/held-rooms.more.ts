import { waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'
import type { LiveRoom } from '../../src/modules/rooms/live/live-room.ts'
import { reportRoom, reportSeats } from '../../src/modules/rooms/reports/report.ts'
import { describeOnOneEngine } from '../stores/engines.ts'
import { heldRoomsOn } from './held-rooms.ts'

const isTick = ({ action }: { action: string }): boolean => action === '{"type":"tick"}'
/** Timed states followed by a chat. */
const timed = (...lengthsMs: number[]) => ({
  states: [
    ...lengthsMs.map((afterMs, index) => ({
      id: `timed-${index}`,
      components: [],
      end: { on: 'timed' as const, afterMs },
    })),
    { id: 'talk', components: [{ id: 'chat', type: 'chat' }] },
  ],
})
const whereIs = (room: LiveRoom): string | null | undefined => reportSeats(room.state(), 0)[0]?.stateId
const generous = { timeoutMs: 240_000 }

describeOnOneEngine('A room that an instance holds', (engine) => {
  const held = heldRoomsOn(engine)

  it('[RM58] retries a deadline that could not be applied at first', async () => {
    const { roomId } = await held.newRoom(timed(50))
    let isBroken = true
    const warnings: Record<string, unknown>[] = []
    const store = held.storeRefusing((append) => isBroken && isTick(append), new Error('not now'))
    const rooms = held.instance('pod-0', store, { warn: (facts) => warnings.push(facts) })
    const room = await rooms.live(roomId)
    await waitUntil(() => warnings.length > 1 || `${warnings.length} failures were told`, generous)
    expect(warnings.slice(0, 2)).toMatchObject([
      { roomId, failures: 1 },
      { roomId, failures: 2 },
    ])
    expect(whereIs(room)).toBe('timed-0')
    isBroken = false
    await waitUntil(() => whereIs(room) === 'talk' || 'it does not move', generous)
    await rooms.stop()
  })

  it('[RM59] is not given up when an earlier attempt to open it fails late', async () => {
    const { roomId, say } = await held.newRoom(timed(200, 400))
    const rooms = held.instance('pod-0')
    const lost: string[] = []
    let takings = 0
    rooms.listen({
      lost: (id) => lost.push(id),
      taken: async () => {
        if (++takings === 1) throw new Error('nobody could be told')
      },
    })
    await expect(rooms.live(roomId)).rejects.toThrow('nobody could be told')
    const opening = rooms.live(roomId)
    const room = await opening
    // The earlier attempt has the same deadline, but is refused because it no longer holds the room.
    await waitUntil(() => whereIs(room) === 'talk' || 'it is not there yet', generous)
    expect([rooms.held(roomId), lost]).toEqual([opening, []])
    await rooms.dispatch(roomId, { type: 'connected', participantId: say('').participantId })
    expect(await rooms.dispatch(roomId, say('here'))).toBeTypeOf('number')
    await rooms.stop()
  })

  it('[RM141] is recorded anew when somebody else was deleted from it while it was read', async () => {
    const { roomId, participantId, say } = await held.newRoom()
    const before = held.instance('pod-0')
    await before.dispatch(roomId, { type: 'connected', participantId })
    await before.dispatch(roomId, say('words of theirs'))
    await before.stop()
    const other = held.instance('pod-1')
    const deleteThem = () =>
      other.rewrite(roomId, { participantId, erasedId: 'erased_1' }, async ({ replay, ...snapshot }) => {
        await engine().change(`delete from room_snapshots where room_id = '${roomId}'`)
        await engine().database.rooms.saveSnapshot(snapshot)
        await engine().change(
          `update room_actions set action = '{"type":"erased"}' where room_id = '${roomId}' and actor = '${participantId}'`,
        )
        for (const row of replay ?? [])
          await engine().change(
            `update room_actions set replay = '${row.replay}' where room_id = '${roomId}' and seq = ${row.seq}`,
          )
      })
    const { claim } = engine().database.rooms
    const store = held.storeWith({
      claim: async (...claimed) => {
        await deleteThem()
        return await claim(...claimed)
      },
    })
    const rewritten = await held
      .instance('pod-0', store)
      .rewrite(roomId, { participantId: 'part_other', erasedId: 'erased_2' }, async (room) => room)
    expect(rewritten.replay).not.toEqual([])
    expect(JSON.stringify(rewritten)).not.toContain('words of theirs')
  })

  it('[RM60] reports when logged actions no longer apply, and is marked', async () => {
    const { roomId, participantId, say } = await held.newRoom()
    const before = held.instance('pod-0')
    await before.dispatch(roomId, { type: 'connected', participantId })
    for (const text of ['one', 'two', 'three']) await before.dispatch(roomId, say(text))
    await before.stop()

    // As if an earlier version had accepted them: an empty message, a response to an unknown component, a duplicate.
    const odd = [
      { ...say(' '), actionId: 'x' },
      { type: 'submit_response', participantId, actionId: 'y', componentId: 'gone', value: 1 },
      say('one'),
    ]
    const { load } = engine().database.rooms
    const store = held.storeWith({
      load: async (id) => {
        const { snapshot, actions } = await load(id)
        const replaced = actions.map((logged, index) => {
          const action = odd[index - (actions.length - odd.length)]
          return action ? { ...logged, action: JSON.stringify(action) } : logged
        })
        return { snapshot, actions: replaced }
      },
    })
    const warnings: Record<string, unknown>[] = []
    const after = held.instance('pod-1', store, { warn: (facts) => warnings.push(facts) })
    const room = await after.live(roomId)
    const seqs = (await held.logOf(roomId)).map(({ seq }) => Number(seq))
    // The last action is the `restored` of this take-over.
    const firstSeq = seqs.at(-1 - odd.length)
    expect(warnings).toEqual([{ roomId, actions: 2, firstSeq, reason: 'VALIDATION_FAILED' }])
    expect(reportRoom(room.state(), null).skippedActions).toBe(2)
    expect(room.state().messages.map(({ message }) => message.text)).toEqual(['one'])
    await room.dispatch(say('four'))
    expect(reportRoom(room.state(), null).skippedActions).toBe(2)
    await after.stop()

    const sound = held.instance('pod-2')
    expect(reportRoom((await sound.live(roomId)).state(), null)).not.toHaveProperty('skippedActions')
    await sound.stop()
  })
})
