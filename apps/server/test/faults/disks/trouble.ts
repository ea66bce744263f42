import { experimentRoutes, operationsRoutes, participantRoutes } from '@atrium/contract'
import {
  type ApiResponse,
  createApi,
  createPerson,
  HandshakeRefused,
  numberedEvent,
  openRoomSocket,
  type RoomSocket,
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
  const newcomer = await createPerson(api)
  const joined = await newcomer.join(load.experimentId)
  await load.progress(8)

  await begin()
  await tellsAll()
  await roomsTell(socket, ann)
  expect((await api.call(operationsRoutes.live)).status).toBe(200)
  await end()

  await waitUntil(async () => {
    const { status, text } = await api.call(operationsRoutes.ready)
    return status === 200 || text
  })
  await game.finish()
  await load.progress(8)
  await load.stop()
  expect(load.log.some(({ kind }) => kind === 'refused')).toBe(true)
  expect(await load.faults()).toEqual([])
  succeeded(await api.call(experimentRoutes.create, creation()))
  const back = await table.connect(ann)
  expect((await back.act('send_message', { text: 'We are back.' })).ok).toBe(true)
  back.close()

  function creation() {
    return { token: load.researcher.token, body: smallestDefinition() }
  }

  /** A participant, a newcomer, a researcher and the load balancer. */
  async function tellsAll(): Promise<void> {
    const events = { events: [numberedEvent(1)] }
    const asked: Record<string, () => Promise<ApiResponse>> = {
      events: () => api.call(participantRoutes.eventsV4, { session: joined, body: events }),
      join: () =>
        api.call(participantRoutes.joinV4, {
          token: newcomer.token,
          body: { experimentId: load.experimentId },
        }),
      researcher: () => api.call(experimentRoutes.create, creation()),
      ready: () => api.call(operationsRoutes.ready),
    }
    // What fits into space that the database has already reserved may still be taken for a moment.
    for (const [name, ask] of Object.entries(asked))
      await waitUntil(
        async () => {
          const answer = await ask()
          const isTold = answer.status === 503 && (reason === undefined || reasonIn(answer) === reason)
          return isTold || `${name}: ${answer.status} ${answer.text}`
        },
        { everyMs: 500 },
      )
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
