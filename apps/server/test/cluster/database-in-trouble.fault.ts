import { type Postgres, startPostgres, startWorld, type World, waitUntil } from '@atrium/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { arenaIn } from './arena.ts'

describe('Games whose database fails', () => {
  let postgres: Postgres
  let world: World
  beforeAll(async () => {
    postgres = await startPostgres()
    const databaseUrl = await postgres.createDatabase()
    world = await startWorld('cluster', { servers: 2, router: true, databaseUrl })
  })
  // An instance that lost its database refuses a moment longer, even after other instances have recovered.
  beforeEach(async () => {
    for (const { http } of world.servers)
      await waitUntil(async () => (await fetch(`${http}/health/ready`)).ok || 'a pod is not ready')
  })
  afterAll(async () => {
    await world?.stop()
    await postgres?.stop()
  })
  const arena = arenaIn(() => world)

  test('[I1,I2] it stalls for a while: nothing is acknowledged meanwhile, then the game continues', async () => {
    const game = await arena.play()
    postgres.pause()
    // Actions stored before may still be acknowledged.
    await game.players.setBack()
    const before = game.players.acknowledged.length
    await game.players.setBack()
    expect(game.players.acknowledged.length).toBe(before)
    postgres.resume()
    await game.finish()
  })

  test('[I1,I2] it is killed and comes back: nothing acknowledged is lost', async () => {
    const game = await arena.play()
    await postgres.kill()
    await game.players.setBack()
    await postgres.restart()
    await game.finish()
  })
})
