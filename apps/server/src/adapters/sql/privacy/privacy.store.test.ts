import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { joined, openExperiment, startOfTime } from '../../../../test/stores/samples.ts'

describeOnBothEngines('the store of privacy', (engine) => {
  test('[PR5] once a participation is ended, whoever held the room stores nothing of it any more', async () => {
    const { database, rows } = engine()
    const experimentId = await openExperiment(database)
    const { participantId, roomId } = await joined(database, experimentId)
    if (roomId === null) throw new Error('alone in a room')
    const held = await database.rooms.claim(roomId, 'pod-0', 'seed')
    if (!held) throw new Error('the room was just made')
    const person = { experimentId, participantId }
    const snapshot = { roomId, epoch: held.epoch, seq: 1, state: '{"words":"mine"}' }
    const stored = () => rows(`select * from room_snapshots where room_id = '${roomId}'`)
    await database.rooms.saveSnapshot(snapshot)
    expect(await stored()).toHaveLength(1)
    await database.privacy.endParticipation({ ...person, now: startOfTime, withdraws: true })
    await database.rooms.saveSnapshot({ ...snapshot, seq: 2 })
    expect(await stored()).toMatchObject([{ seq: 1 }])
    const erasure = { ...person, actor: 'ada', requestedBy: 'researcher', now: startOfTime } as const
    await database.privacy.erase({ ...erasure, erasedId: 'erased_1', room: null })
    await database.rooms.saveSnapshot({ ...snapshot, seq: 3 })
    expect(await stored()).toEqual([])
  })
})
