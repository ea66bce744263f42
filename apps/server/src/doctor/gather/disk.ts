import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, open, rm, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { DiskFacts } from '../judge/disk.ts'
import { codeOf } from './error-code.ts'

const probeBytes = 2 ** 20

export async function gatherDisk(key: string, given: string, hasDatabase: boolean): Promise<DiskFacts> {
  const folder = resolve(given)
  const system = await statfs(await nearestFolder(folder)).catch(() => undefined)
  return {
    key,
    folder,
    freeBytes: system && system.bavail * system.bsize,
    fileSystem: system?.type,
    writeError: await tryWriting(folder).then(() => undefined, codeOf),
    hasDatabase,
  }
}

/** The folder itself, or the one in which it would be created. */
async function nearestFolder(path: string): Promise<string> {
  const isThere = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  return isThere || dirname(path) === path ? path : await nearestFolder(dirname(path))
}

/** Leaves nothing behind, not even a folder that was not there before. */
async function tryWriting(folder: string): Promise<void> {
  // First, because on a read-only file system `mkdir` with `recursive` says only ENOENT.
  await access(await nearestFolder(folder), constants.W_OK)
  const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `doctor-${randomUUID()}`)
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(Buffer.alloc(probeBytes))
      await file.sync()
    } finally {
      await file.close()
    }
  } finally {
    await rm(path, { force: true })
    if (firstMade !== undefined) await removeEmpty(folder, firstMade)
  }
}

async function removeEmpty(folder: string, last: string): Promise<void> {
  await rmdir(folder)
  if (folder !== last) await removeEmpty(dirname(folder), last)
}
