import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createBackupFolder } from '../../src/adapters/disk/new-backup.ts'
import { openSqlite } from '../../src/adapters/sqlite/open-sqlite.ts'
import { openTarget } from '../../src/transfer/installation.ts'
import { read } from '../operations/read-config.ts'
import { backUp, emptyInstallation, restore, smallInstallation } from './restored-installations.ts'
import { contentsOf, folderForTest, storeObjects } from './transfer-stage.ts'

const edited = (bytes: Buffer) => gzipSync(gunzipSync(bytes).toString().replace('recruiting', 'finished'))

const damages: Record<string, { damage(folder: string): void; refusal: string }> = {
  'no manifest': {
    damage: (folder) => rmSync(join(folder, 'manifest.json')),
    refusal: 'is not a whole backup',
  },
  'an edited table': {
    damage(folder) {
      const file = join(folder, 'tables/experiments.jsonl.gz')
      writeFileSync(file, edited(readFileSync(file)))
    },
    refusal: 'tables/experiments.jsonl.gz is not what the manifest says',
  },
  'a truncated table': {
    damage: (folder) => truncateSync(join(folder, 'tables/events.jsonl.gz'), 60),
    refusal: 'tables/events.jsonl.gz is not what the manifest says',
  },
  'a missing table': {
    damage: (folder) => rmSync(join(folder, 'tables/rooms.jsonl.gz')),
    refusal: 'tables/rooms.jsonl.gz is missing',
  },
  'a changed object': {
    damage: (folder) => appendFileSync(join(folder, 'objects/000000/000000000'), 'x'),
    refusal: 'object 0 is not what the manifest says',
  },
}

test('[R50] a damaged backup is refused before anything is written', async () => {
  const installation = await smallInstallation()
  await storeObjects(installation, { 'videos/a video': 'bytes' })
  for (const [name, { damage, refusal }] of Object.entries(damages)) {
    const folder = await backUp(installation)
    damage(folder)
    const target = await emptyInstallation('sqlite')
    await expect(restore(folder, target), name).rejects.toThrow(refusal)
    expect(existsSync(target.DATA_DIR ?? ''), name).toBe(false)
  }
})

test('[R50] a restore never overwrites, and a backup neither', async () => {
  const installation = await smallInstallation()
  const folder = await backUp(installation)
  const before = await contentsOf(installation)
  await expect(restore(folder, installation)).rejects.toThrow('it has a database, which is never overwritten')
  expect(await contentsOf(installation)).toEqual(before)
  await expect(createBackupFolder(folder)).rejects.toThrow('already holds a backup')
  const target = await emptyInstallation('sqlite')
  await storeObjects(installation, { 'videos/film': 'of the backup' })
  await storeObjects(target, { 'videos/film': 'another' })
  await expect(restore(await backUp(installation), target)).rejects.toThrow(
    'it has another object videos/film',
  )
  await expect(contentsOf(target)).rejects.toThrow('There is no database')
})

test('[R50] a restore refuses the log of a database that was moved away alone', async () => {
  const installation = await smallInstallation()
  const folder = await backUp(installation)
  const { DATA_DIR: dataDir = '' } = installation
  writeFileSync(join(dataDir, 'atrium.db-wal'), 'what was acknowledged last')
  rmSync(join(dataDir, 'atrium.db'))
  await expect(restore(folder, installation)).rejects.toThrow('it has atrium.db-wal, which belongs to')
  expect(readFileSync(join(dataDir, 'atrium.db-wal'), 'utf8')).toBe('what was acknowledged last')
  // Nor one that appears while the tables are filled.
  const empty = await emptyInstallation('sqlite')
  const target = await openTarget(read(empty))
  await target.begin('0018_pilots')
  writeFileSync(join(empty.DATA_DIR ?? '', 'atrium.db-wal'), 'of a server')
  await expect(target.finish()).rejects.toThrow('it has atrium.db-wal')
  await target.close()
})

test('[R50] after an interrupted restore the server refuses to start, and the next restore succeeds', async () => {
  const installation = await smallInstallation()
  const folder = await backUp(installation)
  const { DATA_DIR: dataDir = '', ...target } = await emptyInstallation('sqlite')
  const interrupted = await openTarget(read({ ...target, DATA_DIR: dataDir }))
  await interrupted.begin('0018_pilots')
  await interrupted.insert('role_draws', ['drawn', 'experiment_id'], [{ drawn: 1, experiment_id: 'x' }])
  await interrupted.close()
  await expect(openSqlite(dataDir)).rejects.toThrow('was interrupted')
  await restore(folder, { DATA_DIR: dataDir })
  expect(await contentsOf({ DATA_DIR: dataDir })).toEqual(await contentsOf(installation))
})

test('[R50] a failed backup leaves nothing behind', async () => {
  const folder = join(folderForTest(), 'backup')
  const backup = await createBackupFolder(folder)
  const failing = async function* () {
    yield 'a line\n'
    throw new Error('no space left')
  }
  await expect(backup.writeLines('tables/events', failing())).rejects.toThrow('no space left')
  await backup.discard()
  expect(existsSync(folder)).toBe(false)
})
