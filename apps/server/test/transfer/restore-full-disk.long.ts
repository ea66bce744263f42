import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSmallDisk, ServerStartError, startPostgres, startServer } from '@atrium/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { queryPostgres } from '../stores/engines.ts'
import { backUp, smallInstallation } from './restored-installations.ts'
import { contentsOf, folderForTest, objectsOf, runCommand, storeObjects } from './transfer-stage.ts'

vi.setConfig({ testTimeout: 600_000 })

type Env = Record<string, string>

function disk(megabytes: number) {
  const small = createSmallDisk(megabytes)
  onTestFinished(small.remove)
  const resize = (size: number) => void execFileSync('mount', ['-o', `remount,size=${size}m`, small.path])
  return { ...small, resize }
}

/** The restore says what is wrong, and nobody takes what it left for an installation. */
async function failsForWantOfSpace(backup: string, target: Env): Promise<void> {
  const failed = await runCommand('restore', [backup], target)
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).toMatch(/^There is no space left.*\n$/)
  const refused = await startServer({ dataDir: target.DATA_DIR ?? '', env: target }).catch(
    (error: unknown) => error,
  )
  expect(refused).toBeInstanceOf(ServerStartError)
  expect((refused as ServerStartError).stderr).toContain('was interrupted')
  const ofNothing = await runCommand('backup', [join(folderForTest(), 'of nothing')], target)
  expect(ofNothing).not.toMatchObject({ code: 0 })
}

async function succeeds(backup: string, target: Env, original: Env): Promise<void> {
  expect(await runCommand('restore', [backup], target)).toMatchObject({ code: 0, stderr: '' })
  expect(await contentsOf(target)).toEqual(await contentsOf(original))
  expect(await objectsOf(target)).toEqual(await objectsOf(original))
}

test('[R50] SQLite: a restore onto a full disk says so, and succeeds once there is space', async () => {
  const small = disk(1)
  const original = await smallInstallation(20_000)
  const backup = await backUp(original)
  const target = { DATA_DIR: join(small.path, 'data') }
  await failsForWantOfSpace(backup, target)
  expect(existsSync(join(target.DATA_DIR, 'atrium.db'))).toBe(false)
  small.resize(400)
  await succeeds(backup, target, original)
})

test('[R50] videos for which there is no space: the restore says so, keeps no half of one, and succeeds once there is', async () => {
  const original = await smallInstallation()
  // The store keeps 256 MiB free, so that it does not fit.
  await storeObjects(original, {
    'videos/film': randomBytes(60 * 2 ** 20).toString('base64'),
    'videos/note': 'x',
  })
  const backup = await backUp(original)
  const small = disk(256 + 72)
  const target = { DATA_DIR: join(small.path, 'data') }
  await failsForWantOfSpace(backup, target)
  expect(Object.keys(await objectsOf(target))).not.toContain('videos/film')
  small.resize(600)
  await succeeds(backup, target, original)
})

test('[R50] PostgreSQL: a restore onto a full disk says so, and succeeds once there is space', async () => {
  const small = disk(512)
  const folder = join(small.path, 'postgres')
  mkdirSync(folder)
  const postgres = await startPostgres({ folder })
  onTestFinished(postgres.stop)
  const original = await smallInstallation(20_000, 1_000)
  const backup = await backUp(original)
  const target = { DATA_DIR: join(folderForTest(), 'data'), DATABASE_URL: await postgres.createDatabase() }
  // The rows fill the space that is left, and the log has a whole file before it: PostgreSQL goes down if that is full.
  await queryPostgres(postgres.url, 'select pg_switch_wal()')
  await queryPostgres(postgres.url, 'checkpoint')
  const left = join(small.path, 'left')
  writeFileSync(left, Buffer.alloc(6_000_000))
  small.fill()
  rmSync(left)
  await failsForWantOfSpace(backup, target)
  small.free()
  await succeeds(backup, target, original)
})
