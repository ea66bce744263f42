import { mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runAfterOurExit } from './guard.ts'

export type TemporaryFolder = { readonly path: string; remove(): void }

/** Creates a folder that is removed by `remove()`, or at the latest when this process is gone. */
export const createTemporaryFolder = (purpose: string): TemporaryFolder =>
  createFolderIn(sharedTmp(), purpose)

/**
 * The same in memory, where the machine has room there: a database waits for the disk at every commit, for seconds while
 * other tests write. For little data, and tests in which nothing depends on a disk.
 */
export const createFolderInMemory = (purpose: string): TemporaryFolder =>
  createFolderIn(hasRoom(memory) ? memory : sharedTmp(), purpose)

const memory = '/dev/shm'
/** Containers often have 64 MiB there. */
const roomBytes = 2 ** 30

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > roomBytes
  } catch {
    return false // Not on every system.
  }
}

function createFolderIn(parent: string, purpose: string): TemporaryFolder {
  const path = mkdtempSync(join(parent, `atrium-${purpose}-`))
  // Removes it twice, because a program that writes here is being killed by its own guard at the same moment.
  const cancelGuard = runAfterOurExit('rm -rf "$1"; sleep 1; rm -rf "$1"', path)
  return {
    path,
    remove() {
      rmSync(path, { recursive: true, force: true, maxRetries: 5 })
      cancelGuard()
    },
  }
}

/** If we are root, PostgreSQL runs as another user, which often cannot enter root's own TMPDIR. */
function sharedTmp(): string {
  for (let folder = tmpdir(); folder !== dirname(folder); folder = dirname(folder)) {
    const othersMayEnter = (statSync(folder).mode & 0o001) !== 0
    if (!othersMayEnter && process.getuid?.() === 0) return '/tmp'
  }
  return tmpdir()
}
