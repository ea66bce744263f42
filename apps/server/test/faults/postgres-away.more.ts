import { experimentRoutes, operationsRoutes, participantRoutes } from '@atrium/contract'
import {
  type Api,
  type ApiResponse,
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  numberedEvent,
  onceAvailable,
  type Postgres,
  type Server,
  smallestDefinition,
  startPostgres,
  startServer,
  waitUntil,
} from '@atrium/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { holdRows, holdStream } from '../stores/engines.ts'
import { type EventLoad, startEventLoad } from './event-load.ts'

describe('PostgreSQL unavailable', () => {
  let postgres: Postgres
  let server: Server
  let api: Api
  beforeAll(async () => {
    postgres = await startPostgres()
    server = await startServer({ env: { DATABASE_URL: await postgres.createDatabase() } })
    api = createApi(() => server.http)
  })
  afterAll(async () => {
    postgres?.resume()
    await server?.stop()
    await postgres?.stop()
  })
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.error(server.stderr().slice(-8_000))
  })

  /** Every kind of request by a person, a researcher and a session from before the outage. */
  async function everyRequest(): Promise<Record<string, () => Promise<ApiResponse>>> {
    const researcher = await createResearcher(api)
    const experimentId = await researcher.openExperiment()
    const person = await createPerson(api)
    const newcomer = await createPerson(api)
    const { sessionId } = await person.join(experimentId)
    const { token } = researcher
    const asSession = { session: { sessionId } }
    return {
      events: () =>
        api.call(participantRoutes.eventsV4, { ...asSession, body: { events: [numberedEvent(1)] } }),
      discover: () => api.call(participantRoutes.discoverV4, asSession),
      complete: () =>
        api.call(participantRoutes.completeV4, { ...asSession, body: { completionCode: 'SUCCESS' } }),
      'join again': () => api.call(participantRoutes.joinV4, { token: person.token, body: { experimentId } }),
      join: () => api.call(participantRoutes.joinV4, { token: newcomer.token, body: { experimentId } }),
      history: () => api.call(participantRoutes.historyV4, { token: person.token }),
      create: () => api.call(experimentRoutes.create, { token, body: smallestDefinition() }),
      export: () => api.call(experimentRoutes.export, { token, params: { experimentId } }),
      monitor: () => api.call(experimentRoutes.monitor, { token, params: { experimentId } }),
      ready: () => api.call(operationsRoutes.ready),
    }
  }

  /**
   * Sends all requests at once, several times, so that some wait behind others. All are answered while the database is
   * away, because it comes back only afterwards. (Retry-After is checked on every response.)
   */
  async function expectRefusals(requests: Record<string, () => Promise<ApiResponse>>): Promise<void> {
    for (let round = 0; round < 3; round++) {
      const pending = Object.entries(requests).flatMap(([name, send]) =>
        (name === 'events' ? [send, send, send, send, send] : [send]).map(async (send) => ({
          name,
          answer: await send(),
        })),
      )
      for (const { name, answer } of await Promise.all(pending)) {
        const isLimited = answer.status === 429
        if (!isLimited) expect([name, answer.status, codeOf(answer)]).toEqual([name, 503, 'UNAVAILABLE'])
      }
      expect((await api.call(operationsRoutes.live)).status).toBe(200)
    }
  }

  /** Some batches were refused meanwhile, and nothing acknowledged is lost or duplicated. */
  async function expectIntact(load: EventLoad): Promise<void> {
    const refused = load.log.filter(({ kind }) => kind === 'refused')
    expect(refused.length).toBeGreaterThan(0)
    expect(await load.faults()).toEqual([])
  }

  const isReady = async (): Promise<true | string> => {
    const { status } = await api.call(operationsRoutes.ready)
    return status === 200 || `ready answers ${status}`
  }

  test('[I1] stopped: 503 with Retry-After until it continues, then normal service', async () => {
    const load = await startEventLoad({ servers: [server], clients: 16 })
    const requests = await everyRequest()
    await load.progress(30)
    postgres.pause()
    await expectRefusals(requests).finally(() => postgres.resume())
    await waitUntil(isReady)
    await load.progress(30)
    await load.stop()
    await expectIntact(load)
  })

  test('[I1] killed: the same, without a restart of the server', async () => {
    const { pid } = server
    const load = await startEventLoad({ servers: [server], clients: 16 })
    const requests = await everyRequest()
    await load.progress(30)
    await postgres.kill()
    await expectRefusals(requests)
    await postgres.restart()
    await waitUntil(isReady)
    await load.progress(30)
    await load.stop()
    await expectIntact(load)
    expect(server.pid).toBe(pid)
  })

  test('[I1] a batch in progress when it stops is refused while it is stopped', async () => {
    // Stopped at random moments of a transaction.
    for (let round = 0; round < 3; round++) {
      const load = await startEventLoad({ servers: [server], clients: 8, pauseMs: 5 })
      await load.progress(16 + round)
      postgres.pause()
      await waitUntil(
        () => load.log.filter(({ kind }) => kind === 'refused').length >= 8 || 'not all refused',
      )
      postgres.resume()
      await load.stop()
      await expectIntact(load)
    }
  })

  test('[R9] a session whose row is locked is refused meanwhile and accepted afterwards', async () => {
    const researcher = await createResearcher(api)
    const { sessionId } = await (await createPerson(api)).join(await researcher.openExperiment())
    const lock = await holdStream(server.env.DATABASE_URL ?? '', sessionId)
    const send = () =>
      api.call(participantRoutes.eventsV4, { session: { sessionId }, body: { events: [numberedEvent(1)] } })
    expect((await send()).status).toBe(503)
    // The database is alive, so others are served.
    await waitUntil(isReady)
    await lock.release()
    await onceAvailable(send)
  })

  test('[R9] while all connections to it are in use, requests are refused; afterwards they are accepted', async () => {
    const experimentId = await (await createResearcher(api)).openExperiment()
    const people = await Promise.all(Array.from({ length: 30 }, () => createPerson(api)))
    const join = ({ token }: { token: string }) =>
      api.call(participantRoutes.joinV4, { token, body: { experimentId } })
    const lock = await holdRows(
      server.env.DATABASE_URL ?? '',
      `select * from experiments where experiment_id = '${experimentId}'`,
    )
    // Each join waits for the row on its own connection, and there are fewer connections than people.
    for (const answer of await Promise.all(people.map(join)))
      expect([answer.status, codeOf(answer)]).toEqual([503, 'UNAVAILABLE'])
    await lock.release()
    await waitUntil(isReady)
    for (const person of people) await onceAvailable(() => join(person))
  })
})
