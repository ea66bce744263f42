import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { anAgentAppend, aPilot, aRoomWithAgents } from '../../../../test/stores/agent-samples.ts'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  exportAll,
  joined,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { newRoomId } from '../../../kernel/ids.ts'
import type { RoomAppend } from '../../../modules/rooms/rooms.store.ts'

describeOnBothEngines('pilots', (engine) => {
  test('[AP4][AP5] rooms wait in order until they are opened, and count for themselves', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const roomIds = [newRoomId(), newRoomId(), newRoomId()]
    await aPilot(database, experimentId, { roomIds })
    const mine = async () => (await database.pilots.waiting(1_000)).filter((id) => roomIds.includes(id))
    expect(await mine()).toEqual(roomIds)
    const claim = (roomId: string) => database.rooms.claim(roomId, 'pod-0', 'seed')
    expect(await claim(roomIds[1] ?? '')).toMatchObject({
      ordinal: 1,
      members: [],
      personas: [{ id: 'ada' }],
      agents: [{ role: 'participant', agentId: 'ada' }],
    })
    expect(await mine()).toEqual([roomIds[0], roomIds[2]])
    // A researcher who acts on a waiting room begins it, and it still waits for an instance that plays it.
    await database.rooms.claimAsleep(roomIds[0] ?? '', 'seed', startOfTime)
    expect(await mine()).toEqual([roomIds[0], roomIds[2]])
    // Conditions are balanced among people's rooms as if there had been no pilot.
    const { roomId } = await aRoomWithAgents(database, experimentId)
    expect(await claim(roomId)).toMatchObject({ ordinal: 0, personas: null })
  })

  test('[AP4] at most 200 rooms of one experiment, or of one researcher, are open at a time', async () => {
    const { database } = engine()
    const owner = `urn:x ${randomUUID()}`
    const experimentId = await openExperiment(database, {}, owner)
    const another = await openExperiment(database, {}, owner)
    const many = Array.from({ length: 199 }, newRoomId)
    await aPilot(database, experimentId, { roomIds: many })
    await expect(aPilot(database, experimentId, { roomIds: [newRoomId(), newRoomId()] })).rejects.toThrow(
      'too_many',
    )
    await aPilot(database, experimentId)
    await database.rooms.claim(many[0] ?? '', 'pod-0', 'seed')
    const ending: RoomAppend = {
      ...anAgentAppend(experimentId, many[0] ?? '', { number: 1 }),
      status: { kind: 'ended', reason: 'finished' },
    }
    for (const full of [experimentId, another])
      await expect(aPilot(database, full)).rejects.toThrow('too_many')
    await aPilot(database, await openExperiment(database))
    await database.rooms.append([ending])
    await aPilot(database, experimentId)
  })

  test('[R43] the list has the newest first, with how far each room is', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const budget = { turns: 100, money: 2.5 }
    const [first = ''] = await aPilot(database, experimentId, { now: startOfTime, budget })
    for (const ms of [1, 2, 2]) await aPilot(database, experimentId, { now: startOfTime + ms })
    await aPilot(database, await openExperiment(database))
    await database.rooms.claim(first, 'pod-0', 'seed')
    const ended: RoomAppend = {
      ...anAgentAppend(experimentId, first, { number: 1, at: startOfTime + 9 }),
      status: { kind: 'ended', reason: 'finished' },
    }
    expect(await database.rooms.append([ended])).toEqual([{ kind: 'stored' }])
    const all = await database.pilots.list({ experimentId, before: null, limit: 10 })
    expect(all.map(({ createdAt }) => createdAt - startOfTime)).toEqual([2, 2, 1, 0])
    expect(all.at(-1)).toMatchObject({
      revision: 1,
      agentsPerRoom: 1,
      budget,
      rooms: [{ roomId: first, isHeld: true, closedAt: startOfTime + 9, endReason: 'finished' }],
    })
    expect(all[0]).toMatchObject({ budget: null, rooms: [{ isHeld: false, closedAt: null }] })
    const [, second] = all
    const after = await database.pilots.list({ experimentId, before: second ?? null, limit: 10 })
    expect(after).toEqual(all.slice(2))
  })

  test('[E26] the export has agents among people, and pilots only alone; the monitor counts what is exported', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const { roomId, sessionId } = await aRoomWithAgents(database, experimentId)
    const later = await joined(database, experimentId, { now: startOfTime + 200 })
    for (const id of [sessionId, later.sessionId]) await database.events.append([aBatch(id, [anEvent(1)])])
    const [pilotRoom = ''] = await aPilot(database, experimentId)
    for (const id of [roomId, pilotRoom]) await database.rooms.claim(id, 'pod-0', 'seed')
    // More agents than a page has sessions; pilots' agents sit between them.
    for (let number = 1; number <= 130; number++)
      await database.rooms.append([
        anAgentAppend(experimentId, pilotRoom, { number }),
        anAgentAppend(experimentId, roomId, { number }),
      ])
    const { lines } = await exportAll(database, experimentId)
    const agents = Array.from({ length: 130 }, (_, index) => index + 1)
    expect(lines.map(({ alias, agent }) => [alias, agent])).toEqual([
      ['P1', null],
      ...agents.map((number) => [`P${number}`, 'ada']),
      ['P1', null],
    ])
    expect(lines[1]).toMatchObject({ roomId, role: 'participant', revision: 1, origin: 'room' })
    expect(lines.every((line) => !('synthetic' in line))).toBe(true)
    const pilots = await exportAll(database, experimentId, 'pilots')
    expect(pilots.lines.map(({ alias }) => alias)).toEqual(agents.map((number) => `P${number}`))
    for (const line of pilots.lines) expect(line).toMatchObject({ roomId: pilotRoom, synthetic: true })
    const monitor = await database.experiments.monitor(experimentId, startOfTime)
    expect(monitor).toMatchObject({ events: lines.length, participants: { total: 2 } })
    const listed = await database.rooms.list({
      ...{ experimentId, openOnly: false, before: null, limit: 10, now: startOfTime },
    })
    const byId = new Map(listed.map((room) => [room.roomId, room]))
    expect(byId.get(pilotRoom)).toMatchObject({ synthetic: true, participants: 0, active: 0, agents: 130 })
    expect(byId.get(roomId)).toMatchObject({ synthetic: false, participants: 1, agents: 130 })
  })
})
