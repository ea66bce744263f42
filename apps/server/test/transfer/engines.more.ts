import { createTestDatabase } from '@atrium/testkit'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrateToLatest } from '../../src/adapters/sql/migrations/migrations.ts'
import { openTarget } from '../../src/transfer/installation.ts'
import { read } from '../operations/read-config.ts'
import { openPatiently } from '../stores/engines.ts'
import { aBatch, anEvent, joined, openExperiment, recordedAt } from '../stores/samples.ts'
import { backUp, emptyInstallation, restore, smallInstallation } from './restored-installations.ts'
import { contentsOf } from './transfer-stage.ts'

test('[R50] a backup of one engine restores into the other, and back', async () => {
  const sqlite = await smallInstallation(1_200)
  const contents = await contentsOf(sqlite)
  expect(contents.events?.rows).toBe(4)
  const postgres = await emptyInstallation('postgres')
  await restore(await backUp(sqlite), postgres)
  expect(await contentsOf(postgres)).toEqual(contents)
  await expect(restore(await backUp(sqlite), postgres)).rejects.toThrow('which is never overwritten')
  const again = await emptyInstallation('sqlite')
  await restore(await backUp(postgres), again)
  expect(await contentsOf(again)).toEqual(contents)

  // Numbers that the database gives continue behind those that were restored.
  const database = await openPatiently(postgres.DATABASE_URL ?? '')
  const { sessionId } = await joined(database, await openExperiment(database))
  expect(await database.events.append([aBatch(sessionId, [anEvent(1)])])).toEqual([recordedAt(1)])
  await database.close()
})

test('[R50] a transfer erases nothing of a server that started after the database was found to be empty', async () => {
  const DATABASE_URL = await createTestDatabase()
  const config = read({ ...(await emptyInstallation('sqlite')), DATABASE_URL })
  const target = await openTarget(config)
  // Videos are copied now, for hours.
  await expect(openPatiently(DATABASE_URL)).rejects.toThrow('is under way')
  // One that had looked for the mark before it was there.
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 2 })
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
  await migrateToLatest('postgres', db)
  await db.destroy()
  await expect(target.begin('0018_pilots')).rejects.toThrow('which is never overwritten')
  await target.close()
  const server = await openPatiently(DATABASE_URL)
  const experimentId = await openExperiment(server)
  await expect(openTarget(config)).rejects.toThrow('which is never overwritten')
  expect(await server.experiments.find(experimentId)).toBeDefined()
  await server.close()
})

test('[R50] no server starts on a PostgreSQL that is being filled, and the next restore begins anew', async () => {
  const DATABASE_URL = await createTestDatabase()
  const target = { ...(await emptyInstallation('sqlite')), DATABASE_URL }
  const interrupted = await openTarget(read(target))
  await interrupted.begin('0018_pilots')
  await interrupted.insert('role_draws', ['drawn', 'experiment_id'], [{ drawn: 1, experiment_id: 'x' }])
  await expect(openPatiently(DATABASE_URL)).rejects.toThrow('was interrupted')
  await expect(openTarget(read(target))).rejects.toThrow('is under way')
  await interrupted.close()
  const installation = await smallInstallation()
  await restore(await backUp(installation), target)
  expect(await contentsOf(target)).toEqual(await contentsOf(installation))
})
