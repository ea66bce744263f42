import type { ExperimentDefinition } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  openWaitingSocket,
  patience,
  type SocketSession,
  startWorld,
  type World,
  waitUntil,
} from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groupsOf } from './ledger.ts'

const people = 104
const joinsAtOnce = 26
const groupSize = 4
const talk: ExperimentDefinition = {
  name: 'Fours',
  states: [{ id: 'talk', components: [{ id: 'chat', type: 'chat' }] }],
  matching: { groupSize },
}

describe('A hundred people who arrive at once on three pods', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld('cluster', {
      servers: 3,
      env: { ...patience, MAX_ROOMS_PER_POD: '9', MAX_PARTICIPANTS_PER_POD: '36' },
    })
  })
  afterAll(() => world?.stop())

  test('[I4] get full groups only, each person exactly one, and everyone is told theirs', async () => {
    const api = createApi(() => world.any().http)
    const experimentId = await (await createResearcher(api)).openExperiment(talk)
    // They connect at once; joining at once is not part of this test.
    const join = async () => await (await createPerson(api)).join(experimentId)
    const sessions: Awaited<ReturnType<typeof join>>[] = []
    while (sessions.length < people)
      sessions.push(...(await Promise.all(Array.from({ length: joinsAtOnce }, join))))
    const told = await Promise.all(sessions.map((session) => waitForRoom(world, session)))
    const groups = await groupsOf(world, experimentId)
    expect([...groups.values()].map((members) => members.length)).toEqual(
      Array.from({ length: people / groupSize }, () => groupSize),
    )
    const roomOf = new Map([...groups].flatMap(([roomId, members]) => members.map((id) => [id, roomId])))
    expect(told).toEqual(sessions.map((one) => roomOf.get(one.participantId)))
    // Rooms are placed where there is capacity: 9 per instance.
    const load = await Promise.all(
      world.servers.map(
        async ({ http }) => (await (await fetch(`${http}/health/pod`)).json()) as { rooms: number },
      ),
    )
    expect(load.map(({ rooms }) => rooms).toSorted()).toEqual([8, 9, 9])
  })
})

/** Like the SDK, connects again when an instance without free capacity drops the connection. */
async function waitForRoom(world: World, session: SocketSession): Promise<string | undefined> {
  for (;;) {
    const socket = openWaitingSocket(world.any().http, session)
    const { room_assigned: rooms } = socket.received
    await waitUntil(() => rooms.length > 0 || socket.lost() !== undefined || 'it still waits', {
      timeoutMs: 240_000,
    })
    socket.close()
    if (rooms[0]) return rooms[0].roomId
  }
}
