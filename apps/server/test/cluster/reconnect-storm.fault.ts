import { connectWaiting, createParticipant, type Participant, type Waiting } from '@atrium/client'
import { keys } from '@atrium/coordination'
import { createApi, createResearcher, startWorld, type World, waitUntil } from '@atrium/testkit'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'

const people = 2_000
const joinsAtOnce = 50
/** A group has at most 1,000 people (R60), and nobody must be matched here. */
const lectures = 4

let world: World
beforeAll(async () => {
  world = await startWorld('cluster', { servers: 3, router: true })
})
afterAll(() => world?.stop())

test('two thousand people lose their connection at once: all come back, each at their position', async () => {
  const api = createApi(() => world.front().http)
  const researcher = await createResearcher(api)
  const experimentIds = await Promise.all(
    Array.from({ length: lectures }, () =>
      researcher.openExperiment({
        name: 'A large lecture',
        states: [{ id: 's1', components: [] }],
        matching: { groupSize: people / lectures + 1 },
      }),
    ),
  )
  const waiting: { participant: Participant; room: Waiting }[] = []
  for (let from = 0; from < people; from += joinsAtOnce)
    waiting.push(
      ...(await Promise.all(
        Array.from({ length: joinsAtOnce }, async (_, index) => {
          const token = await api.token(`storm-${from + index}`, [])
          const participant: Participant = createParticipant({
            baseUrl: world.front().http,
            getIdToken: () => token,
          })
          await participant.join(experimentIds[(from + index) % lectures] ?? '')
          return { participant, room: connectWaiting(participant, {}) }
        }),
      )),
    )
  const redis = new Redis(world.redis?.url ?? '')
  const everyoneIsIn = async () => {
    const connected = waiting.filter(({ room }) => room.connection.kind === 'connected').length
    return connected === people || `${connected} are connected`
  }
  await waitUntil(everyoneIsIn, { timeoutMs: 120_000 })
  const queues = async () =>
    await Promise.all(experimentIds.map((id) => redis.zrange(keys.waitingArrivals(id), 0, -1)))
  await waitUntil(async () => (await queues()).flat().length === people || 'not all are in the queue')
  const arrivals = await queues()

  const startedAt = performance.now() // timing: only printed.
  await world.front().kill()
  await world.front().restart()
  await waitUntil(
    async () => waiting.every(({ room }) => room.connection.kind !== 'connected') || (await everyoneIsIn()),
    { timeoutMs: 60_000 },
  )
  await waitUntil(everyoneIsIn, { timeoutMs: 120_000 })
  // timing: only printed.
  console.log(`all ${people} were back after ${Math.round(performance.now() - startedAt)} ms`)
  expect(await queues()).toEqual(arrivals)
  redis.disconnect()
  await Promise.all(
    waiting.map(async ({ participant, room }) => {
      room.close()
      await participant.close()
    }),
  )
}, 600_000)
