import { pace, type Server, startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arenaIn } from './arena.ts'

const count = Number(process.env.REDIS_AWAY_GAMES ?? 40)
const awayMs = Number(process.env.REDIS_AWAY_MS ?? 60_000)

let world: World
beforeAll(async () => {
  world = await startWorld('cluster', { router: true })
})
afterAll(() => world?.stop())
const arena = arenaIn(() => world)

/** All of them together stay well below what two instances on one machine can do; a queue would look like a standstill. */
const pauseMs = 400

test(
  `[P14,P15,I1,I5] Redis away for ${awayMs / 1_000} s in the middle of ${count} games: all go on, none is played twice`,
  async () => {
    const games: Awaited<ReturnType<typeof arena.playOn>>[] = []
    for (let index = 0; index < count; index++)
      games.push(await arena.playOn(world.servers[index % 2] as Server, pauseMs))
    // Not the epoch: on a slow machine a write may fail, and the same instance then opens the room again.
    const owners = () => Promise.all(games.map(async ({ roomId }) => (await arena.epochOf(roomId)).podId))
    const before = await owners()
    const standstills = () => games.map(({ players }) => watchStandstill(() => players.acknowledged.length))
    const control = standstills()
    await pace(15_000)
    print('before', control)
    const during = standstills()
    await world.redis?.kill()
    await pace(awayMs)
    await world.redis?.restart()
    await Promise.all(games.map(({ players }) => players.progress(20)))
    print('while Redis was away and came back', during)
    expect(await owners()).toEqual(before)
    for (const game of games) await game.finish()
  },
  awayMs + 600_000,
)

function print(when: string, watched: (() => Standstill)[]): void {
  const sorted = watched.map((end) => end()).toSorted((a, b) => a.ms - b.ms)
  const [median, worst] = [sorted[count >> 1], sorted.at(-1)]
  console.log(
    `longest time without an acknowledgement in a room, ${when}: median ${median?.ms} ms, worst ${worst?.ms} ms (after ${worst?.atMs} ms)`,
  )
}

interface Standstill {
  ms: number
  /** When it ended, from the beginning of the watch. */
  atMs: number
}

/** Watches a count that should grow; the function that it returns ends that and tells how long it stood still at most. */
function watchStandstill(count: () => number): () => Standstill {
  const from = performance.now() // timing: only printed.
  let longest = { ms: 0, atMs: 0 }
  let [last, since] = [count(), from]
  const timer = setInterval(() => {
    const now = performance.now() // timing: only printed.
    if (now - since > longest.ms) longest = { ms: Math.round(now - since), atMs: Math.round(now - from) }
    if (count() !== last) [last, since] = [count(), now]
  }, 50)
  return () => {
    clearInterval(timer)
    return longest
  }
}
