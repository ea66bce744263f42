import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runWhenWeAreGone } from './guard.ts'

export type TemporaryFolder = { readonly path: string; remove(): void }

/** A fresh folder, removed by `remove()` or, at the latest, when this process is gone. */
export function createTemporaryFolder(purpose: string): TemporaryFolder {
  const path = mkdtempSync(join(sharedTmp(), `atrium-${purpose}-`))
  // The second removal: a program that was writing here is being killed by its own guard at the same moment.
  const callOff = runWhenWeAreGone('rm -rf "$1"; sleep 1; rm -rf "$1"', path)
  return {
    path,
    remove() {
      rmSync(path, { recursive: true, force: true, maxRetries: 5 })
      callOff()
    },
  }
}

/** PostgreSQL runs as another user when we are root, and root's own TMPDIR is often closed to others. */
function sharedTmp(): string {
  for (let folder = tmpdir(); folder !== dirname(folder); folder = dirname(folder)) {
    const othersMayEnter = (statSync(folder).mode & 0o001) !== 0
    if (!othersMayEnter && process.getuid?.() === 0) return '/tmp'
  }
  return tmpdir()
}
