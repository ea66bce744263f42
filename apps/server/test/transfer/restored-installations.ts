import { join } from 'node:path'
import { createTestDatabase } from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import { createBackupFolder } from '../../src/adapters/disk/new-backup.ts'
import { openBackupFolder } from '../../src/adapters/disk/stored-backup.ts'
import { openSqlite } from '../../src/adapters/sqlite/open-sqlite.ts'
import type { Engine } from '../../src/ports/transfer.ts'
import {
  openObjectSource,
  openObjectTarget,
  openSource,
  openTarget,
  thisVersion,
} from '../../src/transfer/installation.ts'
import { restoreBackup, verifyBackup } from '../../src/transfer/restore-backup.ts'
import { writeBackup } from '../../src/transfer/write-backup.ts'
import { read } from '../operations/read-config.ts'
import { aBatch, anEvent, joined, openExperiment } from '../stores/samples.ts'
import { folderForTest } from './transfer-stage.ts'

const quiet = () => undefined

/** An embedded installation with a few participants and events, and any number of further rows. */
export async function smallInstallation(
  furtherRows = 0,
  charactersEach = 20,
): Promise<Record<string, string>> {
  const dataDir = join(folderForTest(), 'data')
  const database = await openSqlite(dataDir)
  const experimentId = await openExperiment(database)
  for (const person of [1, 2]) {
    const { sessionId } = await joined(database, experimentId)
    const odd = JSON.stringify({ value: 'ü "quoted" \\ 𝄞 \u2028\nline' })
    await database.events.append([aBatch(sessionId, [anEvent(person), anEvent(9, { data: odd })])])
  }
  await database.close()
  const file = new Sqlite(join(dataDir, 'atrium.db'))
  file.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${furtherRows})
    insert into audit_log (at, actor, action, subject, details) select i, 'somebody', 'did', 'something', printf('"%0${charactersEach}d"', i) from n where ${furtherRows} > 0`)
  file.close()
  return { DATA_DIR: dataDir }
}

export async function emptyInstallation(engine: Engine): Promise<Record<string, string>> {
  const DATA_DIR = join(folderForTest(), 'data')
  return engine === 'sqlite' ? { DATA_DIR } : { DATA_DIR, DATABASE_URL: await createTestDatabase() }
}

/** As `npm run backup`, in this process. Returns the folder. */
export async function backUp(env: Record<string, string>): Promise<string> {
  const folder = join(folderForTest(), 'backup')
  const config = read(env)
  const source = await openSource(config)
  const about = { version: thisVersion.version, createdAt: new Date(0), report: quiet }
  const backup = await createBackupFolder(folder)
  await writeBackup({ source, objects: openObjectSource(config), backup, ...about })
  return folder
}

/** As `npm run restore`, in this process. */
export async function restore(folder: string, env: Record<string, string>): Promise<void> {
  const config = read(env)
  const backup = openBackupFolder(folder)
  const manifest = await verifyBackup(backup, thisVersion, quiet)
  const target = await openTarget(config)
  const objects = await openObjectTarget(config)
  try {
    await restoreBackup({ backup, manifest, target, objects, report: quiet })
  } finally {
    await objects?.close()
    await target.close()
  }
}
