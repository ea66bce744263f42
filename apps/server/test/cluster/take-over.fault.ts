import { pace, startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, test } from 'vitest'
import { arenaIn } from './arena.ts'

const runs = Number(process.env.TAKE_OVER_RUNS ?? 50)
const seed = Number(process.env.TEST_SEED ?? 7)

let world: World
beforeAll(async () => {
  const env = { MAX_ROOMS_PER_POD: '1000', MAX_PARTICIPANTS_PER_POD: '4000' }
  world = await startWorld('cluster', { servers: 3, router: true, env })
})
afterAll(() => world?.stop())
const arena = arenaIn(() => world)

test(
  `[I1,I2,I5] ${runs} take-overs (seed ${seed}): the room responds on another pod, nothing acknowledged is lost, no stale owner writes`,
  async () => {
    const random = randomFrom(seed)
    const took = { killed: [] as number[], stopped: [] as number[] }
    for (let run = 0; run < runs; run++) {
      const game = await arena.play()
      const from = await arena.epochOf(game.roomId)
      const victim = await game.owner()
      await pace(random() * 800)
      const isStopped = random() < 0.3
      const startedAt = performance.now() // timing: only printed.
      if (isStopped) victim.pause()
      else await victim.kill()
      await game.respondsElsewhere(from)
      took[isStopped ? 'stopped' : 'killed'].push(performance.now() - startedAt) // timing: only printed.
      await game.moved(from)
      if (isStopped) victim.resume()
      else await victim.restart()
      await game.finish()
    }
    for (const [how, times] of Object.entries(took)) {
      const sorted = times.toSorted((a, b) => a - b)
      const quantile = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
      const [p50, p95, longest] = [0.5, 0.95, 1].map(quantile)
      console.log(
        `take-over from a pod that was ${how}, ms: p50 ${p50}, p95 ${p95}, longest ${longest} of ${times.length}`,
      )
    }
  },
  runs * 30_000,
)

/** Mulberry32: the same seed gives the same run. */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
