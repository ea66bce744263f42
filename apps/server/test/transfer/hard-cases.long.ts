import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startObjectStore } from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { migrateUpTo } from '../../src/adapters/sql/migrations/migrations.ts'
import { openSqlite } from '../../src/adapters/sqlite/open-sqlite.ts'
import { openPatiently } from '../stores/engines.ts'
import { exportAll } from '../stores/samples.ts'
import { backUp, emptyInstallation, restore, smallInstallation } from './restored-installations.ts'
import { folderForTest, objectsOf, runCommand, storeObjects } from './transfer-stage.ts'

// Much is written and read back; on a busy machine that takes minutes.
vi.setConfig({ testTimeout: 600_000 })

test('[R50] a disk that fills up in the middle of a backup: a sentence, nothing that looks like a backup, and the space is free again', async () => {
  const disk = join(folderForTest(), 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
  try {
    const installation = await smallInstallation(1_000)
    // Random, or it would fit when compressed.
    await storeObjects(installation, { video: randomBytes(3_000_000).toString('base64') })
    for (const folder of [disk, join(disk, 'backup')]) {
      const failed = await runCommand('backup', [folder], installation)
      expect(failed).toMatchObject({ code: 1, stdout: '' })
      expect(failed.stderr).toMatch(/^There is no space left.*\n$/)
      expect(readdirSync(disk)).toEqual([])
    }
  } finally {
    execFileSync('umount', [disk])
  }
})

test('[R50] a backup of an older schema is migrated after it is restored, on both engines', async () => {
  const dataDir = join(folderForTest(), 'data')
  mkdirSync(dataDir)
  const file = new Sqlite(join(dataDir, 'atrium.db'))
  const raw = new Kysely<never>({ dialect: new SqliteDialect({ database: file }) })
  await migrateUpTo('0006_write_checks', 'sqlite', raw)
  file.exec(`insert into experiments (experiment_id, status, revision, name, participant_count, created_at, updated_at)
      values ('exp_1', 'recruiting', 1, 'Old', 1, 1, 1);
    insert into experiment_revisions values ('exp_1', 1, 'Old', '{}', 'urn:one maker', 1);
    insert into participants (participant_id, experiment_id, revision, role, joined_at)
      values ('part_1', 'exp_1', 1, 'participant', 1);
    insert into sessions (session_id, participant_id, status, created_at, last_activity_at, expires_at)
      values ('sess_1', 'part_1', 'active', 1, 1, 9);
    insert into event_streams (stream_no, session_id, last_seq, sealed, client_events) values (7, 'sess_1', 1, 0, 1);
    insert into events (stream_no, seq, type, timestamp, received_at, data, flags)
      values (7, 1, 'component_response', 1, 1, '{"value":42}', '')`)
  file.close()
  const folder = await backUp({ DATA_DIR: dataDir })
  const sqlite = await emptyInstallation('sqlite')
  const postgres = await emptyInstallation('postgres')
  for (const target of [sqlite, postgres]) await restore(folder, target)
  for (const database of [
    await openSqlite(sqlite.DATA_DIR ?? ''),
    await openPatiently(postgres.DATABASE_URL ?? ''),
  ]) {
    const { lines } = await exportAll(database, 'exp_1')
    expect(lines.map(({ data }) => data)).toEqual([{ value: 42 }])
    await database.close()
  }
})

test('[R50] videos that are too large for one request move in parts', async () => {
  const installation = await smallInstallation()
  await storeObjects(installation, {
    'videos/film': randomBytes(50 * 2 ** 20).toString('base64'),
    'videos/note': 'x',
  })
  const store = await startObjectStore()
  onTestFinished(async () => void (await store.stop()))
  const folder = await backUp(installation)
  const target = { ...(await emptyInstallation('sqlite')), ...store.s3Env }
  await restore(folder, target)
  expect(Object.keys(await objectsOf(installation))).toEqual(['videos/film', 'videos/note'])
  expect(await objectsOf(target)).toEqual(await objectsOf(installation))
  // And back: the store keeps an object that came in parts in as many files.
  const again = await emptyInstallation('sqlite')
  await restore(await backUp(target), again)
  expect(await objectsOf(again)).toEqual(await objectsOf(installation))
})
