import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createBackupFolder } from '../../src/adapters/disk/new-backup.ts'
import { openBackupFolder } from '../../src/adapters/disk/stored-backup.ts'
import type { DataTarget, Row } from '../../src/ports/transfer.ts'
import { thisVersion } from '../../src/transfer/installation.ts'
import { restoreBackup, verifyBackup } from '../../src/transfer/restore-backup.ts'
import { falseColumns, falseFiles, falseRows, falseSecret } from './forged-backups.ts'
import { backUp, emptyInstallation, restore, smallInstallation } from './restored-installations.ts'
import { contentsOf, folderForTest, objectsOf, runCommand, storeObjects } from './transfer-stage.ts'

/** A copy that somebody has made something else of. */
function harmed(backup: string, harm: (folder: string) => void): string {
  const folder = join(folderForTest(), 'backup')
  cpSync(backup, folder, { recursive: true })
  harm(folder)
  return folder
}

test('[R50] a backup that lies about its files is refused before anything is written', async () => {
  const installation = await smallInstallation(10)
  await storeObjects(installation, { 'videos/one/hls/../odd key.ts': 'bytes' })
  const backup = await backUp(installation)
  const target = await emptyInstallation('sqlite')
  for (const [name, { harm, refusal }] of Object.entries(falseFiles)) {
    await expect(restore(harmed(backup, harm), target), name).rejects.toThrow(refusal)
    expect(existsSync(target.DATA_DIR ?? ''), name).toBe(false)
  }
  // And nothing of one that says the truth lands outside the folder of the installation.
  await restore(backup, target)
  expect(await objectsOf(target)).toEqual(await objectsOf(installation))
  expect(readdirSync(dirname(target.DATA_DIR ?? ''))).toEqual(['data'])
})

test('[R50] a backup that lies about its rows is never finished, and no more of them are taken than it says', async () => {
  const backup = await backUp(await smallInstallation(10))
  for (const [name, { harm, failure }] of Object.entries(falseRows)) {
    const stored = openBackupFolder(harmed(backup, harm))
    const manifest = await verifyBackup(stored, thisVersion, () => undefined)
    const { target, taken, isFinished } = targetInMemory()
    const restored = restoreBackup({
      backup: stored,
      manifest,
      target,
      objects: undefined,
      report: () => undefined,
    })
    await expect(restored, name).rejects.toThrow(failure)
    expect(isFinished(), name).toBe(false)
    for (const [table, rows] of taken)
      expect(rows.length, name).toBeLessThanOrEqual(
        manifest.tables.find((each) => each.name === table)?.rows ?? 0,
      )
  }
})

function targetInMemory() {
  const taken = new Map<string, Row[]>()
  let isFinished = false
  const target: DataTarget = {
    begin: async () => undefined,
    insert: async (table, _columns, rows) => void taken.set(table, [...(taken.get(table) ?? []), ...rows]),
    async *rows(table) {
      yield taken.get(table) ?? []
    },
    async finish() {
      isFinished = true
    },
    close: async () => undefined,
  }
  return { target, taken, isFinished: () => isFinished }
}

test.each(['sqlite', 'postgres'] as const)(
  '[R50] columns and secrets that cannot be are not restored, and leave nothing in the way of a good backup (%s)',
  async (engine) => {
    const installation = await smallInstallation(10)
    const backup = await backUp(installation)
    const target = await emptyInstallation(engine)
    const { unknown } = falseColumns
    // On PostgreSQL, a secret is a row as others, and names are text.
    const lies = engine === 'sqlite' ? { ...falseColumns, secret: falseSecret } : { unknown }
    for (const [name, { harm, failure }] of Object.entries(lies)) {
      await expect(restore(harmed(backup, harm), target), name).rejects.toThrow(failure)
      expect(existsSync(join(target.DATA_DIR ?? '', 'atrium.db')), name).toBe(false)
    }
    await restore(backup, target)
    expect(await contentsOf(target)).toEqual(await contentsOf(installation))
  },
)

test('[R50] what a backup is called in sentences about it commands no terminal', async () => {
  const folder = await backUp(await smallInstallation())
  const file = join(folder, 'manifest.json')
  const facts = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...facts, '\u001b]0;owned\u0007\u202e': 1 }))
  const { code, stderr } = await runCommand('restore', [folder], await emptyInstallation('sqlite'))
  expect(code).toBe(3)
  expect(stderr).toMatch(/^The manifest is damaged or was changed: [^\p{Cc}\p{Cf}]+\n$/u)
})

test('[R50] other users can neither read a backup nor put files into it, even in a folder that was open to them', async () => {
  const folder = join(folderForTest(), 'open')
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  const backup = await createBackupFolder(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  const line = async function* () {
    yield '{}\n'
  }
  await backup.writeLines('tables/events', line())
  await backup.publish('{}')
  const modes = ['tables', 'tables/events.jsonl.gz', 'manifest.json'].map(
    (name) => statSync(join(folder, name)).mode & 0o777,
  )
  expect(modes).toEqual([0o700, 0o600, 0o600])
})
