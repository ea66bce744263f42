import { type Postgres, startPostgres, startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arenaIn } from './arena.ts'

describe('Games whose database is in trouble', () => {
  let postgres: Postgres
  let world: World
  beforeAll(async () => {
    postgres = await startPostgres()
    const databaseUrl = await postgres.createDatabase()
    world = await startWorld('cluster', { servers: 2, router: true, databaseUrl })
  })
  afterAll(async () => {
    await world?.stop()
    await postgres?.stop()
  })
  const arena = arenaIn(() => world)

  test('[I1,I2] it stands still for a while: nothing is acknowledged meanwhile, then the game goes on', async () => {
    const game = await arena.play()
    postgres.pause()
    // What was stored before may still be told.
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
