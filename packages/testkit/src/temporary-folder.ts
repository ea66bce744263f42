import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runAfterOurExit } from './guard.ts'

export type TemporaryFolder = { readonly path: string; remove(): void }

/** Creates a folder that is removed by `remove()`, or at the latest when this process is gone. */
export function createTemporaryFolder(purpose: string): TemporaryFolder {
  const path = mkdtempSync(join(sharedTmp(), `atrium-${purpose}-`))
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
