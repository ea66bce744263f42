import { describeInOneMode, waitUntil } from '@atrium/testkit'
import { test } from 'vitest'
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
