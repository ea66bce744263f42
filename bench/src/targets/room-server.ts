import { type ExperimentDefinition, participantRoutes, roomRoutes } from '@atrium/contract'
import { createApi, createResearcher, succeeded } from '@atrium/testkit'
import type { Engine } from '../harness/engines.ts'
import { type Load, refuseFailures } from '../load/http-load.ts'
import type { SocketToOpen } from '../load/room-connection.ts'
import { peoplePerRoom } from '../load/room-load.ts'
import { type AtriumOptions, startAtrium } from './atrium.ts'
import { type Session, sessionOf } from './responses.ts'

/** An endless chat in which each message reaches the four participants of the room. */
const talk: ExperimentDefinition = {
  name: 'A long talk',
  states: [{ id: 'talk', components: [{ id: 'chat', type: 'chat' }] }],
  matching: { groupSize: peoplePerRoom },
  dropout: { policy: 'wait', graceMs: 600_000 },
}

/** The real server with an experiment, for groups of four where nothing else is said. Its garbage can be collected before its memory is measured. */
export async function startRoomServer(
  engine: Engine,
  load: Load,
  {
    definition = talk,
    people = peoplePerRoom,
    ...options
  }: Pick<AtriumOptions, 'profileFolder' | 'checkout'> & {
    definition?: ExperimentDefinition
    people?: number
  },
) {
  const atrium = await startAtrium(engine, load, { ...options, isInspected: true })
  const api = createApi(atrium.address)
  const researcher = await createResearcher(api)
  const experimentId = await researcher.openExperiment(definition)

  async function seat(group: Session[]): Promise<SocketToOpen[]> {
    const body = { participantIds: group.map(({ participantId }) => participantId) }
    const options = { token: researcher.token, params: { experimentId }, body }
    const { roomId } = succeeded(await api.call(roomRoutes.create, options))
    return group.map(({ sessionId, sessionToken }) => ({
      address: atrium.address,
      roomId,
      auth: { sessionId, sessionToken },
    }))
  }

  return {
    ...atrium,
    /** One identity each, because nobody may join often. */
    async join(count: number): Promise<Session[]> {
      const lanes = await atrium.people(count)
      const { method, path } = participantRoutes.joinV4
      const { failures, bodies } = await load.run({
        address: atrium.address,
        method,
        path,
        lanes,
        body: JSON.stringify({ experimentId }),
        clients: 16,
        maxMs: 600_000,
        maxRequests: count,
        firstLane: 0,
        collect: true,
      })
      refuseFailures(failures, path)
      return bodies.map((text) => sessionOf(JSON.parse(text)))
    },
    /** Seats each group in a room. */
    async makeRooms(sessions: Session[]): Promise<SocketToOpen[]> {
      const sockets: SocketToOpen[] = []
      for (let first = 0; first < sessions.length; first += people)
        sockets.push(...(await seat(sessions.slice(first, first + people))))
      return sockets
    },
  }
}
