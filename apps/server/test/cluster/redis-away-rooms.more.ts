import { patienceWithDatabase, startWorld, type World, waitUntil } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arenaIn } from './arena.ts'

describe('Games while Redis is away', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld('cluster', { router: true, env: patienceWithDatabase })
  })
  afterAll(() => world?.stop())
  const arena = arenaIn(() => world)

  const troubles: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['killed, and comes back empty', async () => world.redis?.kill(), async () => world.redis?.restart()],
    ['paused', async () => world.redis?.pause(), async () => world.redis?.resume()],
  ]

  test.each(troubles)(
    '[P14,P15] %s: every game goes on where it is, and none is taken by another instance',
    async (_how, harm, heal) => {
      const games = await Promise.all(world.servers.map((pod) => arena.playOn(pod)))
      // Not the epoch: on a slow machine a write may fail, and the same instance then opens the room again.
      const owners = () => Promise.all(games.map(async ({ roomId }) => (await arena.epochOf(roomId)).podId))
      expect(await owners()).toEqual(['pod-0', 'pod-1'])
      await harm()
      // More rounds than a lease lasts.
      await Promise.all(games.map(({ players }) => players.progress(40)))
      await heal()
      await waitUntil(async () => {
        const cluster = await fetch(`${world.front().http}/health/cluster`)
        return cluster.ok || 'the instances do not see each other'
      })
      await Promise.all(games.map(({ players }) => players.progress(60)))
      expect(await owners()).toEqual(['pod-0', 'pod-1'])
      for (const game of games) await game.finish()
    },
  )

  test('[P14] somebody who reconnects meanwhile finds their game', async () => {
    const game = await arena.play()
    await world.redis?.kill()
    await game.players.progress(30)
    const connections = game.players.connections()
    game.players.breakConnections()
    await waitUntil(() => game.players.connections() >= connections + 4 || 'not everybody is back')
    await game.players.progress(5)
    await world.redis?.restart()
    await game.finish()
  })
})
