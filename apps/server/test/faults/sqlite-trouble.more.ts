import { join } from 'node:path'
import { operationsRoutes, participantRoutes } from '@atrium/contract'
import {
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  numberedEvent,
  type Server,
  startServer,
  succeeded,
} from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEventLoad } from './event-load.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server?.stop())

test('a second server on the same DATA_DIR refuses to start and says why; the first keeps running', async () => {
  const load = await startEventLoad({ servers: [server], clients: 16 })
  await load.progress(60)
  await expect(startServer({ dataDir: server.dataDir })).rejects.toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`DATA_DIR is in use by another server: ${server.dataDir}`),
  })
  await load.progress(10)
  await load.stop()
  expect(await load.faults()).toEqual([])
})

test('[R9] while another program locks the database, writes are refused with 503; afterwards they work again', async () => {
  const api = createApi(() => server.http)
  const researcher = await createResearcher(api)
  const experimentId = await researcher.openExperiment()
  const { sessionId } = await (await createPerson(api)).join(experimentId)
  const send = (number: number) =>
    api.call(participantRoutes.eventsV4, {
      session: { sessionId },
      body: { events: [numberedEvent(number)] },
    })
  succeeded(await send(1))
  const intruder = new Sqlite(join(server.dataDir, 'atrium.db'))
  intruder.exec('begin immediate')
  // They are answered while it is locked, because it is unlocked only afterwards.
  const answers = await Promise.all([2, 3, 4, 5].map(send))
  for (const answer of answers) expect([answer.status, codeOf(answer)]).toEqual([503, 'UNAVAILABLE'])
  expect((await api.call(operationsRoutes.live)).status).toBe(200)
  intruder.exec('rollback')
  intruder.close()
  succeeded(await send(6))
  expect((await researcher.exported(experimentId)).map(({ data }) => data.value)).toEqual([1, 6])
})
