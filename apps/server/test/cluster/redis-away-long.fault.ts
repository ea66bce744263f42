import { pace, startWorld, type World } from '@atrium/testkit'
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

test(
  `[P14,P15,I1,I5] Redis away for ${awayMs / 1_000} s in the middle of ${count} games: all go on, none is played twice`,
  async () => {
    const games = []
    for (let index = 0; index < count; index++)
      games.push(await arena.playOn(world.servers[index % 2] as (typeof world.servers)[0]))
    const owners = await Promise.all(games.map(({ roomId }) => arena.epochOf(roomId)))
    const watched = games.map(({ players }) => watchStandstill(() => players.acknowledged.length))
    await world.redis?.kill()
    await pace(awayMs)
    await world.redis?.restart()
    await Promise.all(games.map(({ players }) => players.progress(20)))
    const longest = watched.map((stop) => stop()).toSorted((a, b) => a - b)
    console.log(
      `longest time without an acknowledgement, ms: worst room ${longest.at(-1)}, median ${longest[count >> 1]}`,
    )
    expect(await Promise.all(games.map(({ roomId }) => arena.epochOf(roomId)))).toEqual(owners)
    for (const game of games) await game.finish()
  },
  awayMs + 600_000,
)

/** Watches a count that should grow; the function that it returns ends that and tells how long it stood still at most. */
function watchStandstill(count: () => number): () => number {
  let [last, since, longest] = [count(), performance.now(), 0] // timing: only printed.
  const timer = setInterval(() => {
    const now = performance.now() // timing: only printed.
    longest = Math.max(longest, now - since)
    if (count() === last) return
    ;[last, since] = [count(), now]
  }, 50)
  return () => {
    clearInterval(timer)
    return Math.round(longest)
  }
}
