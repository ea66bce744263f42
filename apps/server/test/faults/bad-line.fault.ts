import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { playOverBadLine } from './bad-line-study.ts'

let world: World
beforeAll(async () => {
  world = await startWorld('cluster', { router: true })
})
afterAll(() => world?.stop())

test.each(['1', '2', '3'])(
  '[I1,I2,I3] 30 % of packets lost at 300 ms: 24 people in groups of four finish, nothing is lost or doubled (seed %s)',
  async (seed) => {
    const line = { loss: 0.3, roundTripMs: 300, seed }
    const { rooms } = await playOverBadLine({
      http: world.front().http,
      line,
      participants: 24,
      groupSize: 4,
      rounds: 5,
    })
    expect(rooms).toHaveLength(6)
  },
  900_000,
)
