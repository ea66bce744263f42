import type { ExperimentDefinition } from '@atrium/contract'
import { createApi, createPerson, openRoomSocket, type Server } from '@atrium/testkit'

const definition: ExperimentDefinition = {
  name: 'Many rooms',
  states: ['Welcome', 'Read', 'Contribute', 'Talk', 'Decide'].map((name) => ({
    id: name.toLowerCase(),
    name,
    components: [{ id: `chat_${name.toLowerCase()}`, type: 'chat' }],
    end: { on: 'button' },
  })),
  dropout: { policy: 'wait', graceMs: 600_000 },
}
export const busyStudy = definition

const joinedAtOnce = 8

/** Rooms in which somebody says something now and then, spread over the states of the study. */
export async function startBusyRooms(server: Server, experimentId: string, rooms: number) {
  const api = createApi(server.http)
  const sockets: Awaited<ReturnType<typeof openRoomSocket>>[] = []
  for (let at = 0; at < rooms; at += joinedAtOnce)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(joinedAtOnce, rooms - at) }, async (_, index) => {
          const session = await (await createPerson(api)).join(experimentId)
          const socket = await openRoomSocket(server.http, session)
          for (let state = 0; state < (at + index) % 5; state++) await socket.act('ready')
          return socket
        }),
      )),
    )
  let said = 0
  let talking: NodeJS.Timeout | undefined
  return {
    /** So many messages a second, in one room after the other. */
    talk(perSecond: number): void {
      talking = setInterval(() => {
        const at = said++ % sockets.length
        const state = definition.states[at % 5]?.id
        sockets[at]
          ?.act('send_message', { componentId: `chat_${state}`, text: `Message number ${said}` })
          .catch(() => undefined)
      }, 1_000 / perSecond)
    },
    said: () => said,
    stop(): void {
      clearInterval(talking)
      for (const socket of sockets) socket.close()
    },
  }
}
