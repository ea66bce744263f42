import { limits, operationsRoutes, participantRoutes } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  numberedEvent,
  openRoomSocket,
  type Server,
  startServer,
  startWorld,
  succeeded,
  type World,
} from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const dayMs = 24 * 60 * 60_000
const rateWindowMs = limits.rateWindowSeconds * 1000
/** Instances use the clock of their database, which they know only as precisely as it responds. */
const clockErrorMs = 60_000
const shifted = new URL('./shifted-clock.mjs', import.meta.url).href

describe.each([25, -25])('A pod whose clock is %i hours off', (hours) => {
  let world: World
  let wrong: Server
  beforeAll(async () => {
    world = await startWorld('cluster', { servers: 1 })
    const clock = { NODE_OPTIONS: `--import=${shifted}`, SHIFT_CLOCK_MS: String(hours * 60 * 60_000) }
    const own = { POD_NAME: 'pod-wrong', PORT: '0', METRICS_PORT: '0' }
    wrong = await startServer({ env: { ...world.servers[0]?.env, ...own, ...clock } })
  })
  afterAll(async () => {
    await wrong?.stop()
    await world?.stop()
  })
  const right = createApi(() => world.servers[0]?.http ?? '')
  const late = createApi(() => wrong.http)

  /** Expects a time between `before` and now, by the right clock. */
  function expectSince(before: number, at: number): void {
    const after = Date.now()
    expect(before - clockErrorMs <= at && at <= after + clockErrorMs, `${before} ${at} ${after}`).toBe(true)
  }

  test('keeps sessions alive exactly as long as any other pod, its own and those of others', async () => {
    const experimentId = await (await createResearcher(right)).openExperiment()
    for (const [joining, sending] of [
      [late, right],
      [right, late],
    ] as const) {
      const before = Date.now()
      const { sessionId, expiresAt } = await (await createPerson(joining)).join(experimentId)
      expectSince(before, Date.parse(expiresAt) - dayMs)
      const options = { session: { sessionId }, body: { events: [numberedEvent(1)] } }
      const answer = await sending.call(participantRoutes.eventsV4, options)
      const { data } = succeeded(answer)
      expectSince(before, Date.parse(data.serverTimestamp))
      expectSince(before, Number(answer.headers.get('x-ratelimit-reset')) * 1000 - rateWindowMs)
    }
  })

  test('keeps the deadlines of its rooms', async () => {
    const timed = { id: 'soon', components: [], end: { on: 'timed' as const, afterMs: 700 } }
    const researcher = await createResearcher(late)
    const experimentId = await researcher.openExperiment({
      name: 'Timed',
      states: [timed, { id: 'after', components: [] }],
    })
    const session = await (await createPerson(late)).join(experimentId)
    const before = Date.now()
    const room = await openRoomSocket(wrong.http, session)
    expectSince(before, room.snapshot().serverTime)
    await room.event('state_entered', ({ state }) => state.id === 'after')
    room.close()
  })

  test('is as healthy as the others', async () => {
    expect(succeeded(await right.call(operationsRoutes.cluster))).toMatchObject({
      totalPods: 2,
      healthyPods: 2,
    })
  })
})
