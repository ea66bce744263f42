import { experimentRoutes, operationsRoutes, participantRoutes } from '@atrium/contract'
import {
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  numberedEvent,
  patienceWithDatabase,
  type Redis,
  startWorld,
  succeeded,
  type World,
  waitUntil,
} from '@atrium/testkit'
import { Redis as Client } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEventLoad } from './event-load.ts'

describe('Redis unavailable', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld('cluster', { env: patienceWithDatabase })
  })
  afterAll(() => world?.stop())

  const redis = (): Redis => {
    if (!world.redis) throw new Error('a cluster has a Redis')
    return world.redis
  }
  const pod = (index: number) => createApi(() => world.servers[index]?.http ?? '')

  const sendTo = (index: number, sessionId: string, number: number) =>
    pod(index).call(participantRoutes.eventsV4, {
      session: { sessionId },
      body: { events: [numberedEvent(number)] },
    })

  /** A session revoked on one instance is refused by the other, which had it cached. */
  async function expectRevocation(): Promise<void> {
    const admin = await createResearcher(pod(0), ['admin'])
    const experimentId = await admin.openExperiment()
    const { sessionId } = await (await createPerson(pod(1))).join(experimentId)
    succeeded(await sendTo(1, sessionId, 1))
    const { token } = admin
    succeeded(
      await pod(0).call(experimentRoutes.revokeSession, { token, params: { experimentId, sessionId } }),
    )
    await waitUntil(
      async () => {
        const answer = await sendTo(1, sessionId, 2)
        return codeOf(answer) === 'SESSION_INVALID' || `the other pod still answers ${answer.status}`
      },
      { everyMs: 100 },
    )
  }

  /** Joins and events are answered, and limits are still counted. */
  async function expectService(): Promise<void> {
    const researcher = await createResearcher(pod(0))
    const experimentId = await researcher.openExperiment()
    for (const index of [0, 1]) {
      const person = await createPerson(pod(index))
      const { sessionId } = await person.join(experimentId)
      const remaining = []
      for (let number = 0; number < 3; number++) {
        const answer = await sendTo(index, sessionId, number)
        expect(answer.status).toBe(200)
        remaining.push(Number(answer.headers.get('x-ratelimit-remaining')))
      }
      expect(remaining.at(-1)).toBeLessThan(remaining[0] ?? 0)
      expect((await pod(index).call(operationsRoutes.ready)).status).toBe(200)
    }
    expect(await researcher.exported(experimentId)).toHaveLength(6)
  }

  /** Both instances share one limit again, and the directory is complete. */
  async function expectRecovery(): Promise<void> {
    const experimentId = await (await createResearcher(pod(0))).openExperiment()
    const { sessionId } = await (await createPerson(pod(0))).join(experimentId)
    let number = 0
    await waitUntil(async () => {
      const here = await sendTo(0, sessionId, number++)
      const there = await sendTo(1, sessionId, number++)
      const [one, two] = [here, there].map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
      return two === (one ?? 0) - 1 || `they count apart: ${one}, ${two}`
    })
    await waitUntil(async () => {
      await pod(1).call(operationsRoutes.cluster)
      const { body } = await pod(0).call(operationsRoutes.cluster)
      return body.totalPods === 2 || `the directory knows ${body.totalPods}`
    })
  }

  const troubles: [string, () => Promise<void>, () => Promise<void>][] = [
    ['killed', () => redis().kill(), () => redis().restart()],
    ['paused', async () => redis().pause(), async () => redis().resume()],
  ]

  test.each(troubles)(
    '[R10,R15] %s: events and joins still work, and revocations arrive',
    async (_how, harm, heal) => {
      const load = await startEventLoad({ servers: world.servers, clients: 8 })
      await load.progress(10)
      await harm()
      try {
        await expectService()
        await expectRevocation()
        expect((await pod(0).call(operationsRoutes.live)).status).toBe(200)
        const cluster = await pod(0).call(operationsRoutes.cluster)
        expect([cluster.status, codeOf(cluster)]).toEqual([503, 'UNAVAILABLE'])
        await load.progress(10)
      } finally {
        await heal()
      }
      await expectRecovery()
      await load.stop()
      expect(load.log.filter(({ kind }) => kind === 'refused')).toEqual([])
      expect(await load.faults()).toEqual([])
    },
  )

  test('[I1] flushed under load: nothing important is lost', async () => {
    const load = await startEventLoad({ servers: world.servers, clients: 8 })
    await load.progress(10)
    const client = new Client(redis().url)
    await client.flushall()
    await load.progress(10)
    await expectService()
    await expectRecovery()
    await load.stop()
    client.disconnect()
    expect(load.log.filter(({ kind }) => kind === 'refused')).toEqual([])
    expect(await load.faults()).toEqual([])
  })
})
