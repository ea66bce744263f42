import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anAppend,
  anEvent,
  completeRequest,
  joined,
  joinRequest,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import type { RoomAppend } from '../../../modules/rooms/rooms.store.ts'

const states = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, components: [] }))
const blocks = [
  { id: 'first', states: ['a', 'b'], order: 'latin_square' as const },
  { id: 'second', states: ['c', 'd'], order: 'latin_square' as const },
]
const moved = { type: 'state_transition', data: '{"fromState":"a","toState":"b"}' }

describeOnBothEngines('assignments', (engine) => {
  async function study(balance?: 'opened' | 'completed', more = {}) {
    const { database, rows } = engine()
    const conditions = { values: ['x', 'y'], ...(balance && { balance }) }
    const experimentId = await openExperiment(database, { conditions, states, blocks, ...more })
    /** Somebody joins and enters their room. */
    async function begin() {
      const session = await joined(database, experimentId)
      const room = await database.rooms.claim(session.roomId ?? '', 'pod-0', 'seed')
      if (!room?.assignment) throw new Error('the room was not assigned')
      return { ...session, ...room.assignment, ordinal: room.ordinal }
    }
    async function beginAll(people: number) {
      return await Promise.all(Array.from({ length: people }, begin))
    }
    /** How many people count in each cell. */
    async function counts(): Promise<Record<string, number>> {
      const found = await rows(
        `select cell, people from assignment_counts where experiment_id = '${experimentId}' order by cell`,
      )
      return Object.fromEntries(found.map(({ cell, people }) => [String(cell), Number(people)]))
    }
    return { database, experimentId, begin, beginAll, counts }
  }

  const sizes = (people: { condition: string | null }[]): Record<string, number> =>
    Object.fromEntries(
      [...Map.groupBy(people, ({ condition }) => `${condition}`)]
        .map(([condition, same]): [string, number] => [condition, same.length])
        .sort(),
    )

  test('[RM150] people who enter their rooms at the same moment come in every combination equally often', async () => {
    const { beginAll, counts } = await study()
    const people = await beginAll(48)
    expect(new Set(people.map(({ ordinal }) => ordinal)).size).toBe(48)
    const combinations = Map.groupBy(people, ({ condition, rows }) => JSON.stringify([condition, rows]))
    expect([...combinations.values()].map((same) => same.length)).toEqual(Array(8).fill(6))
    expect(Object.values(await counts())).toEqual(Array(8).fill(6))
  })

  test('[RM150] what a room was assigned stays, whoever claims it next', async () => {
    const { database, begin, counts } = await study()
    const { roomId, condition, rows } = await begin()
    const again = await database.rooms.claim(roomId ?? '', 'pod-1', 'other seed')
    expect(again?.assignment).toEqual({ condition, rows })
    expect(Object.values(await counts())).toEqual([1])
  })

  test('[RM151,R89] with `completed`, whoever ends otherwise or goes away is made up for', async () => {
    const { database, beginAll, counts } = await study('completed')
    const first = await beginAll(16)
    const ofX = first.filter(({ condition }) => condition === 'x')
    const lost = ofX.slice(0, 4)
    const kept = first.filter((one) => !lost.includes(one))
    for (const { sessionId } of first) await database.events.append([aBatch(sessionId, [anEvent(1, moved)])])
    for (const { sessionId } of lost)
      await database.sessions.complete(completeRequest(sessionId, { outcome: 'ABANDONED' }))
    for (const { sessionId } of kept.slice(0, 6)) await database.sessions.complete(completeRequest(sessionId))
    const next = await beginAll(4)
    expect(sizes(next)).toEqual({ x: 4 })
    const both = [...kept, ...next]
    expect(sizes(both)).toEqual({ x: 8, y: 8 })
    const cells = Map.groupBy(both, ({ condition, rows }) => JSON.stringify([condition, rows]))
    expect([...cells.values()].map((same) => same.length)).toEqual(Array(8).fill(2))
    expect(Object.values(await counts())).toEqual(Array(8).fill(2))
  })

  test('[S47] with `completed`, whoever ends with an outcome of the study’s own has completed too', async () => {
    const { database, begin, counts } = await study('completed')
    for (const [outcome, people] of [
      ['SHORT_PATH', 1],
      ['SCREENED_OUT', 1],
      ['SUCCESS', 2],
    ] as const) {
      const { sessionId } = await begin()
      await database.events.append([aBatch(sessionId, [anEvent(1, moved)])])
      await database.sessions.complete(completeRequest(sessionId, { outcome }))
      const counted = Object.values(await counts()).reduce((sum, of) => sum + of, 0)
      expect(counted, outcome).toBe(people)
    }
  })

  test('[RM151] with `completed`, whoever is away for a day counts again when they return', async () => {
    const { database, experimentId, begin, counts } = await study('completed')
    const person = { issuer: 'urn:test', subject: 'ann' }
    const ann = await joined(database, experimentId, { person })
    await database.rooms.claim(ann.roomId ?? '', 'pod-0', 'seed')
    await begin()
    await database.events.append([aBatch(ann.sessionId, [anEvent(1, moved)])])
    const now = startOfTime + 2 * oneDayMs
    await database.sessions.expire(now)
    expect(Object.values(await counts())).toEqual([0, 0])
    await database.sessions.join(joinRequest(experimentId, { person, now, expiresAt: now + oneDayMs }))
    expect(Object.values(await counts()).toSorted()).toEqual([0, 1])
  })

  test('[S47] with `completed`, whoever is dropped gives back their cell before anything is decided, and takes it again on return', async () => {
    const { database, begin, counts } = await study('completed')
    const { participantId, sessionId, roomId } = await begin()
    const drop = async (seq: number, isDropped: boolean, more: Partial<RoomAppend> = {}) => {
      const room = await database.rooms.find(roomId ?? '')
      const absences = [{ participantId, isDropped }]
      const append = { ...anAppend(roomId ?? '', room?.epoch ?? 0, seq), absences, ...more }
      expect(await database.rooms.append([append])).toEqual([{ kind: 'stored' }])
    }
    await drop(1, true)
    expect(Object.values(await counts())).toEqual([0])
    await drop(2, false)
    expect(Object.values(await counts())).toEqual([1])
    await drop(3, true)
    expect(Object.values(await counts())).toEqual([0])
    await database.sessions.complete(completeRequest(sessionId))
    expect(Object.values(await counts())).toEqual([1])
  })

  test.each(['opened', 'completed'] as const)(
    '[S63] what a server has changed that does not count cells is counted when the next room begins (%s)',
    async (balance) => {
      const { change } = engine()
      const { experimentId, beginAll, counts } = await study(balance)
      const ofX = (await beginAll(16)).filter(({ condition }) => condition === 'x')
      const [lost, back] = [ofX.slice(0, 3), ofX.slice(3, 4)]
      const named = (people: typeof ofX) => people.map(({ participantId }) => `'${participantId}'`).join()
      await change(`update participants set outcome = 'NO_CONSENT', holds_place = 0
        where participant_id in (${named(lost)})`)
      await change(`update sessions set status = 'revoked' where participant_id in (${named(back)})`)
      const gone = balance === 'completed' ? 4 : 3
      expect(sizes(await beginAll(gone))).toEqual({ x: gone })
      expect(Object.values(await counts())).toEqual(Array(8).fill(2))
      const stale = await engine().rows(
        `select * from assignments where experiment_id = '${experimentId}' and is_stale = 1`,
      )
      expect(stale).toEqual([])
    },
  )

  test('[RM151,R56] with `opened`, only whoever gives back their place is made up for', async () => {
    const { database, beginAll, counts } = await study('opened')
    const first = await beginAll(16)
    const [ann, bob, cem] = first.filter(({ condition }) => condition === 'x')
    if (!ann || !bob || !cem) throw new Error('nobody is in the condition')
    await database.events.append([aBatch(ann.sessionId, [anEvent(1, moved)])])
    for (const { sessionId } of [ann, bob])
      await database.sessions.complete(completeRequest(sessionId, { outcome: 'ABANDONED' }))
    await database.sessions.complete(completeRequest(cem.sessionId, { outcome: 'SCREENED_OUT' }))
    expect(Object.values(await counts()).reduce((sum, people) => sum + people, 0)).toBe(14)
    expect(sizes(await beginAll(2))).toEqual({ x: 2 })
  })

  test('[RM151,R48] a participant who is deleted counts no more', async () => {
    const { database, experimentId, begin, counts } = await study('completed')
    const { participantId, sessionId } = await begin()
    await database.sessions.complete(completeRequest(sessionId))
    expect(Object.values(await counts())).toEqual([1])
    await database.privacy.erase({
      experimentId,
      participantId,
      erasedId: 'p_erased',
      condition: null,
      actor: 'tester',
      requestedBy: 'researcher',
      now: startOfTime,
      room: null,
    })
    expect(Object.values(await counts())).toEqual([0])
    expect(
      await engine().rows(`select * from assignments where participant_id = '${participantId}'`),
    ).toEqual([])
  })

  test('[RM152] people of a group with a pace of their own are assigned orders of their own', async () => {
    const { database, experimentId } = await study(undefined, {
      pacing: 'participant',
      matching: { groupSize: 4 },
    })
    const rooms = []
    for (let number = 0; number < 4; number++) {
      const people = []
      for (let person = 0; person < 4; person++)
        people.push(await joined(database, experimentId, { soloRoom: false }))
      const roomId = `room_${experimentId}_${number}`
      const members = people.map(({ participantId }) => ({ participantId, role: null }))
      await database.rooms.create({ roomId, experimentId, podId: 'p', members, agents: [], now: startOfTime })
      rooms.push((await database.rooms.claim(roomId, 'pod-0', 'seed'))?.assignment)
    }
    const people = rooms.flatMap(
      (room) => room?.rows.map((rows) => JSON.stringify([room.condition, rows])) ?? [],
    )
    expect([...Map.groupBy(people, (one) => one).values()].map((same) => same.length)).toEqual(
      Array(8).fill(2),
    )
    const ordinals = await engine().rows(
      `select ordinal from assignments where experiment_id = '${experimentId}' order by ordinal`,
    )
    expect(ordinals.map(({ ordinal }) => Number(ordinal))).toEqual(
      Array.from({ length: 16 }, (_, index) => index),
    )
  })
})
