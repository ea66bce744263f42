import type { ExperimentDefinition } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  openWaitingSocket,
  startWorld,
  type World,
} from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groupsOf } from './ledger.ts'

const people = 200
const groupSize = 4
const talk: ExperimentDefinition = {
  name: 'Fours',
  states: [{ id: 'talk', components: [{ id: 'chat', type: 'chat' }] }],
  matching: { groupSize },
}

describe('Two hundred people who come at once, to three pods', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld('cluster', {
      servers: 3,
      env: { MAX_ROOMS_PER_POD: '17', MAX_PARTICIPANTS_PER_POD: '68' },
    })
  })
  afterAll(() => world?.stop())

  test('[I4] full groups only, everyone in exactly one, and everyone is told theirs', async () => {
    const api = createApi(() => world.any().http)
    const experimentId = await (await createResearcher(api)).openExperiment(talk)
    const sessions = await Promise.all(
      Array.from({ length: people }, async () => await (await createPerson(api)).join(experimentId)),
    )
    const sockets = sessions.map((session) => openWaitingSocket(world.any().http, session))
    const told = await Promise.all(sockets.map((socket) => socket.assigned()))
    for (const socket of sockets) socket.close()
    const groups = await groupsOf(world, experimentId)
    expect([...groups.values()].map((members) => members.length)).toEqual(
      Array.from({ length: people / groupSize }, () => groupSize),
    )
    const roomOf = new Map([...groups].flatMap(([roomId, members]) => members.map((id) => [id, roomId])))
    expect(told.map(({ roomId }) => roomId)).toEqual(sessions.map((one) => roomOf.get(one.participantId)))
    // The rooms are where there was space: 17 a pod.
    const load = await Promise.all(
      world.servers.map(
        async ({ http }) => (await (await fetch(`${http}/health/pod`)).json()) as { rooms: number },
      ),
    )
    expect(load.map(({ rooms }) => rooms).toSorted()).toEqual([16, 17, 17])
  })
})
