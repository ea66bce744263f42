import {
  describeInBothModes,
  describeInOneMode,
  HandshakeRefused,
  openRoomSocket,
  type SocketSession,
  waitUntil,
} from '@atrium/testkit'
import { onTestFinished, test } from 'vitest'
import { endless, lobbyIn } from './lobby.ts'

describeInOneMode(
  'When no instance has capacity',
  (world) => {
    const lobby = lobbyIn(world)

    const heldPeople = async (): Promise<number> => {
      const texts = await Promise.all(
        world().servers.map(async ({ metrics }) => await (await fetch(`${metrics}/metrics`)).text()),
      )
      const counts = texts.map((text) => Number(/^app_waiting_for_capacity (\d+)$/m.exec(text)?.[1]))
      return counts.reduce((sum, count) => sum + count, 0)
    }

    test('people keep waiting, are told so, and get a room as soon as there is capacity', async () => {
      const experimentId = await lobby.open(endless({ matching: { groupSize: 2 } }))
      const rooms: string[] = []
      for (const _ of world().servers)
        rooms.push(await lobby.together([await lobby.come(experimentId), await lobby.come(experimentId)]))
      const held = [await lobby.come(experimentId), await lobby.come(experimentId)]
      for (const { socket } of held) await socket.status((status) => status.held === 'capacity')
      await waitUntil(async () => (await heldPeople()) === 2 || `${await heldPeople()} are counted`)
      await lobby.endRoom(rooms[0] ?? '')
      await lobby.together(held)
    })
  },
  { mode: 'cluster', env: { MAX_ROOMS_PER_POD: '1' } },
)

describeInBothModes(
  'When the rooms of people who take part alone are open on every instance',
  (world) => {
    const lobby = lobbyIn(world)

    /** On the instance that opens the room; without a router, the others say that it is elsewhere. */
    async function enter(session: SocketSession): Promise<void> {
      for (const { http } of world().servers)
        try {
          const socket = await openRoomSocket(http, session)
          onTestFinished(() => socket.close())
          return
        } catch (error) {
          if (!(error instanceof HandshakeRefused && error.code === 'ROOM_ELSEWHERE')) throw error
        }
      throw new Error('every instance says that the room is elsewhere')
    }

    test('[P16] the groups of another study still get a room', async () => {
      const soloStudy = await lobby.open(endless({}))
      for (let person = 0; person < 4 * world().servers.length; person++)
        await enter(await lobby.join(soloStudy))
      const pairs = await lobby.open(endless({ matching: { groupSize: 2 } }))
      await lobby.together([await lobby.come(pairs), await lobby.come(pairs)])
    })
  },
  { env: { MAX_ROOMS_PER_POD: '2' } },
)
