import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { operationsRoutes, participantRoutes } from '@atrium/contract'
import {
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  createSmallDisk,
  numberedEvent,
  startPostgres,
  startServer,
  startWorld,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openPatiently, queryPostgres } from '../../stores/engines.ts'
import { embeddedWorld, surviveTrouble, unforeseen } from './trouble.ts'

function disk(megabytes: number) {
  const small = createSmallDisk(megabytes)
  onTestFinished(small.remove)
  return small
}

test('[I1,I2] SQLite on a disk that is full: everyone is told, and it recovers when there is space', async () => {
  const small = disk(64)
  const server = await startServer({ dataDir: join(small.path, 'data') })
  onTestFinished(async () => void (await server.stop()))
  await surviveTrouble(embeddedWorld(server), { begin: small.fill, end: small.free, reason: 'disk_full' })
}, 600_000)

test('[E28] one participant who sends as much as they can stops at the floor; everybody can still complete', async () => {
  const small = disk(64)
  const server = await startServer({ dataDir: join(small.path, 'data') })
  onTestFinished(async () => void (await server.stop()))
  const api = createApi(server.http)
  const experimentId = await (await createResearcher(api)).openExperiment()
  const people = await Promise.all(Array.from({ length: 8 }, () => createPerson(api)))
  const sessions = await Promise.all(people.map((person) => person.join(experimentId)))
  const [greedy] = sessions
  if (!greedy) throw new Error('nobody has joined')
  let sent = 0
  await waitUntil(
    async () => {
      const event = numberedEvent(sent++, { data: { value: unforeseen(1_000_000) } })
      const answer = await api.call(participantRoutes.eventsV4, {
        session: greedy,
        body: { events: [event] },
      })
      return codeOf(answer) === 'UNAVAILABLE' || `${sent} ${answer.status} ${codeOf(answer)}`
    },
    { everyMs: 200, timeoutMs: 240_000 },
  )
  expect(succeeded(await api.call(operationsRoutes.ready)).space).not.toBe('enough')
  for (const session of sessions) {
    const body = { completionCode: 'SUCCESS' }
    succeeded(await api.call(participantRoutes.completeV4, { session, body }))
  }
}, 600_000)

async function postgresOn(small: ReturnType<typeof disk>) {
  const folder = join(small.path, 'postgres')
  mkdirSync(folder)
  const postgres = await startPostgres({ folder })
  onTestFinished(postgres.stop)
  const databaseUrl = await postgres.createDatabase()
  const world = await startWorld('cluster', { servers: 1, databaseUrl })
  onTestFinished(world.stop)
  return { postgres, databaseUrl, world }
}

test('[I1,I2] PostgreSQL on a disk that is full: the same', async () => {
  const small = disk(256)
  const { world } = await postgresOn(small)
  await surviveTrouble(world, { begin: small.fill, end: small.free, reason: 'disk_full' })
}, 600_000)

test('[I1] the readiness check notices a full PostgreSQL at once, although its own row still fits, and sees when there is space', async () => {
  const small = disk(256)
  const { databaseUrl } = await postgresOn(small)
  const { operations, close } = await openPatiently(databaseUrl)
  onTestFinished(close)
  await operations.checkWritable(1)
  small.fill()
  for (const now of [2, 3, 4])
    await expect(operations.checkWritable(now)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      details: { reason: 'disk_full' },
    })
  small.free()
  await operations.checkWritable(5)
}, 600_000)

test('[I1,I2] PostgreSQL that goes down because its log does not fit: the same once an operator has started it', async () => {
  const small = disk(256)
  const { postgres, databaseUrl, world } = await postgresOn(small)
  await surviveTrouble(world, {
    async begin() {
      small.fill()
      // A new file of the log: PostgreSQL cannot go on without one.
      await waitUntil(async () =>
        queryPostgres(databaseUrl, 'select pg_switch_wal()').then(
          () => 'still running',
          () => true as const,
        ),
      )
    },
    async end() {
      small.free()
      await postgres.kill().catch(() => undefined) // It may have gone by itself.
      await postgres.restart()
    },
    reason: undefined,
  })
}, 600_000)
