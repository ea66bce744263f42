import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  completeRequest,
  joined,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { heldRoom, newRoomOf, openInStages } from '../../../../test/stores/stage-samples.ts'
import { newRoomId } from '../../../kernel/ids.ts'
import type { ListedRoom, RoomAppend, RoomListing } from '../../../modules/rooms/rooms.store.ts'

describeOnBothEngines('the list of rooms', (engine) => {
  const list = async (experimentId: string, more: Partial<RoomListing> = {}) =>
    await engine().database.rooms.list({
      experimentId,
      openOnly: false,
      before: null,
      limit: 1_000,
      now: startOfTime,
      ...more,
    })
  /** Page by page, as a reader would who has only seen the page before. */
  async function pages(experimentId: string, limit: number, between: () => Promise<unknown>) {
    const seen: ListedRoom[] = []
    for (;;) {
      const page = await list(experimentId, { limit, before: seen.at(-1) ?? null })
      expect(page.length).toBeLessThanOrEqual(limit)
      seen.push(...page)
      if (page.length < limit) return seen
      await between()
    }
  }
  const soloRoom = async (experimentId: string, now = startOfTime) => {
    const session = await joined(engine().database, experimentId, { now })
    if (session.roomId === null) throw new Error('one person gets a room at once')
    return { ...session, roomId: session.roomId }
  }
  const only = async (experimentId: string, now = startOfTime): Promise<ListedRoom> => {
    const [room, ...others] = await list(experimentId, { now })
    if (!room || others.length > 0) throw new Error('there is not exactly one room')
    return room
  }

  test('[RM56] is newest first, whatever the page size; new rooms do not shift the pages', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    // Many at the same moment, and the order must still be total.
    for (const now of [0, 0, 0, 0, 1, 2, 2, 2, 3].map((ms) => startOfTime + ms))
      await soloRoom(experimentId, now)
    await soloRoom(await openExperiment(database))
    const whole = await list(experimentId)
    expect(whole.map(({ createdAt }) => createdAt - startOfTime)).toEqual([3, 2, 2, 2, 1, 0, 0, 0, 0])
    expect(new Set(whole.map(({ roomId }) => roomId)).size).toBe(9)
    let later = startOfTime + 10
    for (const limit of [1, 2, 3, 4, 9, 10]) {
      const expected = await list(experimentId)
      expect(await pages(experimentId, limit, () => soloRoom(experimentId, later++))).toEqual(expected)
    }
  })

  test('[RM273] counts those who have gone on to another stage as people of the room, and says which stage it is', async () => {
    const { database } = engine()
    const experimentId = await openInStages(database)
    const pair = [await soloRoom(experimentId), await soloRoom(experimentId, startOfTime + 1)]
    const ids = pair.map(({ participantId }) => participantId)
    for (const { roomId, participantId } of pair)
      await (await heldRoom(database, roomId)).goOn([participantId], 'talk')
    const talk = await newRoomOf(database, experimentId, ids)
    await (await heldRoom(database, talk)).goOn(ids.slice(0, 1), 'last')
    const byId = new Map((await list(experimentId)).map((room) => [room.roomId, room]))
    expect(byId.get(talk)).toMatchObject({ stage: 'talk', participants: 2, active: 1 })
    for (const { roomId } of pair)
      expect(byId.get(roomId)).toMatchObject({ stage: null, participants: 1, active: 0 })
    const open = await database.rooms.open(experimentId, 10)
    expect(open.map(({ stage }) => stage).toSorted()).toEqual([null, null, 'talk'])
  })

  test('[RM56] can be limited to rooms that have not ended', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const [first, second, third] = [
      await soloRoom(experimentId, startOfTime),
      await soloRoom(experimentId, startOfTime + 1),
      await soloRoom(experimentId, startOfTime + 2),
    ]
    await database.sessions.complete(completeRequest(second.sessionId, { completedAt: startOfTime + 9 }))
    const open = await list(experimentId, { openOnly: true })
    expect(open.map(({ roomId }) => roomId)).toEqual([third.roomId, first.roomId])
    const next = await list(experimentId, { openOnly: true, before: open[0] ?? null })
    expect(next.map(({ roomId }) => roomId)).toEqual([first.roomId])
    const all = await list(experimentId)
    expect(all.map(({ closedAt }) => closedAt)).toEqual([null, startOfTime + 9, null])
    expect(await list('exp_unknown')).toEqual([])
  })

  test('[RM56] counts the seats, and the people in them who still take part', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database, { matching: { groupSize: 5 } })
    const people = []
    for (let index = 0; index < 5; index++)
      people.push(await joined(database, experimentId, { soloRoom: false }))
    const roomId = newRoomId()
    await database.rooms.create({
      roomId,
      experimentId,
      podId: 'pod-3',
      now: startOfTime,
      agents: [{ role: 'x' }, { role: 'x' }],
      members: people.map(({ participantId }) => ({ participantId, role: null })),
    })
    expect(await only(experimentId)).toEqual({
      roomId,
      createdAt: startOfTime,
      revision: 1,
      stage: null,
      podId: 'pod-3',
      ordinal: null,
      condition: null,
      restingSince: startOfTime,
      pausedAt: null,
      closedAt: null,
      endReason: null,
      participants: 5,
      active: 5,
      agents: 2,
      synthetic: false,
    })
    const [done, revoked, returned] = people
    await database.sessions.complete(completeRequest(done?.sessionId ?? ''))
    await database.sessions.revoke({ sessionId: revoked?.sessionId ?? '', actor: 'x', now: startOfTime })
    expect(await only(experimentId)).toMatchObject({ participants: 5, active: 3, closedAt: null })
    // They now have two sessions, one of them alive.
    const person = { issuer: 'urn:test', subject: returned?.userId ?? '' }
    const later = startOfTime + oneDayMs / 2
    await joined(database, experimentId, { person, now: later, expiresAt: later + oneDayMs })
    expect(await only(experimentId, later)).toMatchObject({ participants: 5, active: 3 })
    expect(await only(experimentId, startOfTime + oneDayMs)).toMatchObject({ participants: 5, active: 1 })
  })

  test('[RM56] shows which pod took the room, and its status from the log', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const { roomId } = await soloRoom(experimentId)
    const claimed = await database.rooms.claim(roomId, 'pod-7', 'seed')
    let seq = 0
    const append = async (status: RoomAppend['status'], at: number) => {
      seq++
      const about = { roomId, epoch: claimed?.epoch ?? 0, seq, at, status }
      const action = { action: '{}', actor: 'x', actionId: null, records: [], decisions: [], condition: null }
      expect(await database.rooms.append([{ ...about, ...action }])).toEqual([{ kind: 'stored' }])
    }
    expect(await only(experimentId)).toMatchObject({ podId: 'pod-7', ordinal: 0, pausedAt: null })
    await append({ kind: 'paused', since: startOfTime + 5 }, startOfTime + 5)
    await append(null, startOfTime + 6)
    expect(await only(experimentId)).toMatchObject({ pausedAt: startOfTime + 5, closedAt: null })
    await append({ kind: 'running' }, startOfTime + 7)
    expect(await only(experimentId)).toMatchObject({ pausedAt: null, closedAt: null, endReason: null })
    await append({ kind: 'ended', reason: `"völlig" 'zu' 👋` }, startOfTime + 8)
    const ended = { closedAt: startOfTime + 8, endReason: `"völlig" 'zu' 👋` }
    expect(await only(experimentId)).toMatchObject(ended)
    await append({ kind: 'ended', reason: 'again' }, startOfTime + 9)
    expect(await only(experimentId)).toMatchObject({ closedAt: startOfTime + 8 })
  })

  test('[RM52] a status from a former owner is not written', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const { roomId } = await soloRoom(experimentId)
    const former = await database.rooms.claim(roomId, 'pod-0', 'seed')
    await database.rooms.claim(roomId, 'pod-1', 'seed')
    const outcomes = await database.rooms.append([
      {
        roomId,
        epoch: former?.epoch ?? 0,
        seq: 1,
        at: startOfTime,
        action: '{}',
        actor: 'x',
        actionId: null,
        records: [],
        decisions: [],
        condition: null,
        status: { kind: 'ended', reason: 'late' },
      },
    ])
    expect(outcomes).toEqual([{ kind: 'fenced' }])
    expect(await only(experimentId)).toMatchObject({ podId: 'pod-1', closedAt: null, endReason: null })
  })
})
