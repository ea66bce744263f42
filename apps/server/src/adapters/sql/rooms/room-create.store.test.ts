import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { completeRequest, joined, openExperiment, startOfTime } from '../../../../test/stores/samples.ts'
import { newRoomId } from '../../../kernel/ids.ts'

describeOnBothEngines('seating people', (engine) => {
  async function waiting(count: number) {
    const { database } = engine()
    const experimentId = await openExperiment(database, {
      matching: { groupSize: 2 },
      roles: ['seller', 'buyer'],
    })
    const sessions = []
    for (let index = 0; index < count; index++)
      sessions.push(await joined(database, experimentId, { soloRoom: false }))
    const create = (ids: string[], roomId = newRoomId(), roles: string[] = []) =>
      database.rooms.create({
        roomId,
        experimentId,
        podId: 'pod-0',
        now: startOfTime,
        agents: [],
        members: ids.map((participantId, index) => ({ participantId, role: roles[index] ?? null })),
      })
    return { database, experimentId, sessions, ids: sessions.map((one) => one.participantId), create }
  }

  test('a room has its members with their roles, and the seats of its agents', async () => {
    const { database, experimentId, ids, sessions } = await waiting(2)
    const [ann = '', bob = ''] = ids
    const room = { roomId: newRoomId(), experimentId, podId: 'pod-7', now: startOfTime }
    const members = [
      { participantId: ann, role: 'seller' },
      { participantId: bob, role: null },
    ]
    expect(await database.rooms.create({ ...room, members, agents: [{ role: 'buyer' }] })).toEqual({
      kind: 'created',
    })
    const found = await database.rooms.find(room.roomId)
    expect(found).toMatchObject({ podId: 'pod-7', revision: 1, agents: [{ role: 'buyer' }] })
    expect(new Map(found?.members.map(({ participantId, role }) => [participantId, role]))).toEqual(
      new Map([
        [ann, 'seller'],
        [bob, 'participant'],
      ]),
    )
    const [session] = await database.sessions.findMany([sessions[0]?.sessionId ?? ''])
    expect(session).toMatchObject({ roomId: room.roomId, role: 'seller' })
  })

  test('[M29] how people were matched is kept with each of them, once', async () => {
    const { database, experimentId, ids } = await waiting(2)
    const [ann = '', bob = ''] = ids
    const room = { roomId: newRoomId(), experimentId, podId: 'pod-7', now: startOfTime, agents: [] }
    const members = ids.map((participantId) => ({ participantId, role: null }))
    const seen = { search: 'short' as const, waiting: 9, considered: 7, passedOver: 2 }
    const match = { ...seen, waitedMs: [61_000, 500], parts: [1, 0] }
    await database.rooms.create({ ...room, members, match })
    await database.rooms.create({ ...room, members, match })
    await database.rooms.claim(room.roomId, 'pod-7', 'seed')
    const kept = await database.exports.assignments(ids)
    const rest = { search: 'short', waiting: 9, considered: 7, passedOver: 2 }
    expect(new Map(kept.map(({ participantId, match: found }) => [participantId, found]))).toEqual(
      new Map([
        [ann, { ...rest, waitedMs: 61_000, part: 1 }],
        [bob, { ...rest, waitedMs: 500, part: 0 }],
      ]),
    )
  })

  test('making the same room again changes nothing and succeeds', async () => {
    const { ids, create } = await waiting(2)
    const roomId = newRoomId()
    expect(await create(ids, roomId)).toEqual({ kind: 'created' })
    expect(await create(ids, roomId)).toEqual({ kind: 'created' })
  })

  test('[I4] when rooms are made for the same people at the same time, each person is in one', async () => {
    const { ids, create, database, sessions } = await waiting(3)
    const [ann = '', bob = '', cem = ''] = ids
    const groups = [
      [ann, bob],
      [bob, cem],
      [cem, ann],
      [bob, ann],
    ]
    const outcomes = await Promise.all(groups.map((group) => create(group)))
    expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1)
    const found = await database.sessions.findMany(sessions.map(({ sessionId }) => sessionId))
    expect(found.filter(({ roomId }) => roomId !== null)).toHaveLength(2)
  })

  test('people who are gone, done or in another room are named, and nobody is seated', async () => {
    const { database, ids, sessions, create } = await waiting(4)
    const [free = '', done = '', revoked = '', seated = ''] = ids
    await database.sessions.complete(completeRequest(sessions[1]?.sessionId ?? ''))
    await database.sessions.revoke({ sessionId: sessions[2]?.sessionId ?? '', actor: 'x', now: startOfTime })
    await create([seated])
    const creation = await create([free, done, revoked, seated, 'part_unknown'])
    expect(creation).toEqual({ kind: 'unfit', participantIds: [done, revoked, seated, 'part_unknown'] })
    const [session] = await database.sessions.findMany([sessions[0]?.sessionId ?? ''])
    expect(session?.roomId).toBeNull()
  })

  test('when somebody is matched and gives up at the same moment, exactly one of the two happens', async () => {
    for (let round = 0; round < 20; round++) {
      const { database, ids, sessions, create } = await waiting(2)
      const giveUp = database.sessions.complete({
        ...completeRequest(sessions[0]?.sessionId ?? '', { outcome: 'NOT_MATCHED' }),
        unlessMatched: true,
      })
      const [creation, ending] = await Promise.all([create(ids), giveUp])
      const isMatched = creation.kind === 'created'
      expect(ending.kind).toBe(isMatched ? 'matched' : 'completed')
      const [session] = await database.sessions.findMany([sessions[0]?.sessionId ?? ''])
      expect([session?.roomId !== null, session?.status]).toEqual(
        isMatched ? [true, 'active'] : [false, 'completed'],
      )
    }
  })

  test('former partners are found by person, across all their participations', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database, {
      matching: { groupSize: 2 },
      completion: { allowRepeat: true },
    })
    const person = (subject: string) => ({ issuer: 'urn:test', subject: `${subject}-${experimentId}` })
    const comes = async (subject: string) =>
      await joined(database, experimentId, { person: person(subject), soloRoom: false, allowRepeat: true })
    const first = [await comes('ann'), await comes('bob')]
    await database.rooms.create({
      roomId: newRoomId(),
      experimentId,
      podId: 'pod-0',
      now: startOfTime,
      agents: [],
      members: first.map(({ participantId }) => ({ participantId, role: null })),
    })
    for (const { sessionId } of first) await database.sessions.complete(completeRequest(sessionId))
    const again = [await comes('ann'), await comes('bob'), await comes('cem')]
    const ids = again.map(({ participantId }) => participantId)
    const pairs = await database.rooms.formerPartners(experimentId, ids)
    expect(pairs.map((pair) => [...pair].sort())).toEqual([ids.slice(0, 2).sort()])
  })
})
