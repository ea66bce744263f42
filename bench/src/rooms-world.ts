import { type ExperimentDefinition, participantRoutes, roomRoutes } from '@atrium/contract'
import { createApi, createResearcher, succeeded, waitUntil } from '@atrium/testkit'
import { Value } from 'typebox/value'
import { WebSocket } from 'ws'
import type { Engine } from './engines.ts'
import { type Load, refuseFailures } from './load.ts'
import type { SocketToOpen } from './rooms-connection.ts'
import { peoplePerRoom } from './rooms-load.ts'
import { startAtrium } from './targets/atrium.ts'

/** A talk without an end: whoever sends a message reaches the four of the room. */
const talk: ExperimentDefinition = {
  name: 'A long talk',
  states: [{ id: 'talk', components: [{ id: 'chat', type: 'chat' }] }],
  matching: { groupSize: peoplePerRoom },
  dropout: { policy: 'wait', graceMs: 600_000 },
}

interface Session {
  sessionId: string
  sessionToken: string
  participantId: string
}

export interface Memory {
  rssBytes: number
  heapUsedBytes: number
}

export type RoomWorld = Awaited<ReturnType<typeof startRoomWorld>>

/** The real server with an experiment for four, whose heap can be cleaned before it is measured. */
export async function startRoomWorld(engine: Engine, load: Load, profileFolder: string | undefined) {
  const profiling = profileFolder ? ` --cpu-prof --cpu-prof-dir=${profileFolder}` : ''
  const NODE_OPTIONS = `--inspect=127.0.0.1:0${profiling}`
  const inspected: Engine = {
    ...engine,
    freshEnv: async () => ({ ...(await engine.freshEnv()), NODE_OPTIONS }),
  }
  const atrium = await startAtrium(inspected, load)
  const api = createApi(atrium.address)
  const researcher = await createResearcher(api)
  const experimentId = await researcher.openExperiment(talk)

  async function seat(group: Session[]): Promise<SocketToOpen[]> {
    const body = { participantIds: group.map(({ participantId }) => participantId) }
    const options = { token: researcher.token, params: { experimentId }, body }
    const { roomId } = succeeded(await api.call(roomRoutes.create, options))
    return group.map(({ sessionId, sessionToken }) => ({
      ...{ address: atrium.address, roomId },
      auth: { sessionId, sessionToken },
    }))
  }

  return {
    ...atrium,
    /** One identity for each: nobody may join often. */
    async join(count: number): Promise<Session[]> {
      const lanes = await atrium.people(count)
      const { method, path } = participantRoutes.joinV4
      const { failures, bodies } = await load.run({
        ...{ address: atrium.address, method, path, lanes, body: JSON.stringify({ experimentId }) },
        ...{ clients: 16, longestMs: 600_000, mostRequests: count, firstLane: 0, collect: true },
      })
      refuseFailures(failures, path)
      return bodies.map((text) => Value.Parse(participantRoutes.joinV4.success.schema, JSON.parse(text)).data)
    },
    /** Puts four after four into a room. */
    async makeRooms(sessions: Session[]): Promise<SocketToOpen[]> {
      const sockets: SocketToOpen[] = []
      for (let first = 0; first < sessions.length; first += peoplePerRoom)
        sockets.push(...(await seat(sessions.slice(first, first + peoplePerRoom))))
      return sockets
    },
    /** What is in use; not what has not been cleared away yet. */
    async cleanMemory(): Promise<Memory> {
      await collectGarbage(atrium.stderr())
      return await atrium.memory()
    },
  }
}

/** Asks the server's V8, through its inspector. */
async function collectGarbage(stderr: string): Promise<void> {
  const address = /Debugger listening on (ws:\S+)/.exec(stderr)?.[1]
  if (address === undefined) throw new Error(`the server has no inspector: ${stderr}`)
  const inspector = new WebSocket(address)
  let isDone = false
  inspector.on('open', () => inspector.send('{"id":1,"method":"HeapProfiler.collectGarbage"}'))
  inspector.on('message', () => {
    isDone = true
  })
  await waitUntil(() => isDone || 'the garbage is not collected yet')
  inspector.close()
}
