import type { ExperimentDefinition, RoomAssigned } from '@atrium/contract'
import { createApi, createPerson, openWaitingSocket, type World, waitUntil } from '@atrium/testkit'
import { onTestFinished } from 'vitest'
import { tableIn } from '../rooms/table.ts'

/** A game without an end of its own. */
export const endless = (more: Partial<ExperimentDefinition>): ExperimentDefinition => ({
  name: 'Waiting',
  states: [{ id: 'play', components: [{ id: 'chat', type: 'chat' }] }],
  ...more,
})

/** For tests of waiting: people who connect to the instances in turn. */
export function lobbyIn(world: () => World) {
  const table = tableIn(world)

  async function join(
    experimentId: string,
    more: { role?: string; metadata?: Record<string, unknown> } = {},
  ) {
    const person = await createPerson(createApi(() => world().any().http))
    const joinAgain = async () => await person.join(experimentId, more)
    const session = await joinAgain()
    /** Connects to the waiting room on the given instance, or on the next one. */
    const wait = (pod?: number, as: typeof session = session) => {
      const { servers } = world()
      const server = pod === undefined ? world().any() : servers[pod % servers.length]
      const socket = openWaitingSocket(server?.http ?? '', as)
      onTestFinished(() => socket.close())
      return socket
    }
    return { ...session, token: person.token, joinAgain, wait }
  }

  return {
    ...table,
    join,
    /** Joins and waits; resolves at the first message, so that people queue in the order in which they came. */
    async come(experimentId: string, more: Parameters<typeof join>[1] = {}) {
      const person = await join(experimentId, more)
      const socket = person.wait()
      await waitUntil(
        () => Object.values(socket.received).some(({ length }) => length > 0) || 'nothing was told',
      )
      return { ...person, socket }
    },
    /** The one room that all of them got; anything else is an error. */
    async together(people: { socket: { assigned(): Promise<RoomAssigned> } }[]): Promise<string> {
      const rooms = new Set<string>()
      for (const { socket } of people) rooms.add((await socket.assigned()).roomId)
      const [room, ...others] = rooms
      if (room === undefined || others.length > 0) throw new Error(`rooms: ${[...rooms].join(', ')}`)
      return room
    },
  }
}
