import { randomBytes, randomUUID } from 'node:crypto'
import { experimentRoutes, operationsRoutes, participantRoutes } from '@atrium/contract'
import {
  type ApiResponse,
  createApi,
  createPerson,
  HandshakeRefused,
  numberedEvent,
  openRoomSocket,
  type RoomSocket,
  type Server,
  type SocketSession,
  smallestDefinition,
  succeeded,
  type World,
  waitUntil,
} from '@atrium/testkit'
import { expect } from 'vitest'
import { arenaIn } from '../../cluster/arena.ts'
import { endlessGame } from '../../rooms/endless-game.ts'
import { tableIn } from '../../rooms/table.ts'
import { startEventLoad } from '../event-load.ts'

export interface Trouble {
  begin(): Promise<void> | void
  end(): Promise<void> | void
  /** What everyone is told; undefined where the platform cannot know the reason. */
  reason: 'disk_full' | 'read_only' | undefined
}

/** A world of this server alone, which the test itself stops. */
export const embeddedWorld = (server: Server): World => ({
  mode: 'embedded',
  servers: [server],
  any: () => server,
  front: () => server,
  stop: async () => undefined,
})

/** Text that no database can compress, so that it needs space that nothing has reserved. */
export const unforeseen = (bytes: number): string => randomBytes(bytes / 2).toString('hex')

/** In `details` of a refusal, whatever its envelope. */
const reasonIn = ({ text }: ApiResponse): string | undefined => /"reason":"(\w+)"/.exec(text)?.[1]

/**
 * People play and send events while the store stops taking anything. They and the researcher are told, and once it takes things
 * again everything goes on without a restart, with all that was acknowledged.
 */
export async function surviveTrouble(world: World, { begin, end, reason }: Trouble): Promise<void> {
  const [server] = world.servers
  if (!server) throw new Error('this world has no server')
  const api = createApi(() => server.http)
  const table = tableIn(() => world)
  const load = await startEventLoad({ servers: world.servers, clients: 4, pauseMs: 700, retryMs: 700 })
  const game = await arenaIn(() => world).play()
  const { sessions } = await table.seat(await table.open({ ...endlessGame, matching: { groupSize: 2 } }), 2)
  const [ann] = sessions
  if (!ann) throw new Error('nobody has a seat')
  const socket = await table.connect(ann)
  const studyId = await table.open(smallestDefinition())
  const joined = await (await createPerson(api)).join(studyId)
  await load.progress(8)

  await begin()
  await tellsAll()
  await roomsTell(socket, ann)
  await waitUntil(() => load.log.some(({ kind }) => kind === 'refused') || 'no batch has been refused')
  expect((await api.call(operationsRoutes.live)).status).toBe(200)
  await end()

  await waitUntil(async () => {
    const { status, text } = await api.call(operationsRoutes.ready)
    return status === 200 || text
  })
  await game.finish()
  await load.progress(8)
  await load.stop()
  expect(await load.faults()).toEqual([])
  succeeded(await api.call(experimentRoutes.create, creation()))
  const back = await table.connect(ann)
  expect((await back.act('send_message', { text: 'We are back.' })).ok).toBe(true)
  back.close()

  function creation() {
    const body = { ...smallestDefinition(), description: unforeseen(4_000) }
    return { token: load.researcher.token, body }
  }

  /** A participant, a newcomer, a researcher and the load balancer. */
  async function tellsAll(): Promise<void> {
    const event = () => numberedEvent(1, { data: { value: unforeseen(8_000) } })
    const asked: Record<string, () => Promise<ApiResponse>> = {
      events: () => api.call(participantRoutes.eventsV4, { session: joined, body: { events: [event()] } }),
      async join() {
        const token = await api.token(`newcomer-${randomUUID()}`)
        return await api.call(participantRoutes.joinV4, { token, body: { experimentId: studyId } })
      },
      researcher: () => api.call(experimentRoutes.create, creation()),
      ready: () => api.call(operationsRoutes.ready),
    }
    for (const [name, ask] of Object.entries(asked)) {
      let last = ''
      // What fits into space that the database has already reserved may still be taken for a while.
      await waitUntil(
        async () => {
          const answer = await ask()
          last = `${answer.status} ${answer.text}`
          return (answer.status === 503 && (reason === undefined || reasonIn(answer) === reason)) || last
        },
        { everyMs: 700, timeoutMs: 120_000 },
      ).catch((error: unknown) => {
        throw new Error(`${name} is not told: ${last}`, { cause: error })
      })
    }
  }

  /** An action is not acknowledged, and who connects hears why. */
  async function roomsTell(socket: RoomSocket, session: SocketSession): Promise<void> {
    await waitUntil(
      async () => {
        if (!socket.isConnected()) return true
        const answer = await socket.act('send_message', { text: 'Hello?' })
        return (!answer.ok && answer.error.code === 'UNAVAILABLE') || 'still acknowledged'
      },
      { everyMs: 200 },
    )
    await waitUntil(
      async () => {
        const refusal = await openRoomSocket(server?.http ?? '', session).then(
          (again) => {
            again.close()
            return 'connected'
          },
          (error: unknown) => (error instanceof HandshakeRefused ? error.code : String(error)),
        )
        return refusal === 'UNAVAILABLE' || refusal
      },
      { everyMs: 500 },
    )
  }
}
