import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { runAfterOurExit } from './guard.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** A file system of its own that really fills up. */
export type SmallDisk = {
  readonly path: string
  /** Leaves no byte free. */
  fill(): void
  /** Frees what `fill` took. */
  free(): void
  /** Nothing on it may be open for writing. */
  setReadOnly(isReadOnly: boolean): void
  remove(): void
}

const pieceBytes = [65_536, 4_096, 1]

/** Only root can mount one, so a test that needs it fails for anybody else instead of passing without having run. */
export function createSmallDisk(megabytes: number): SmallDisk {
  if (process.getuid?.() !== 0)
    throw new Error(
      'This test mounts a small file system, which only root may do. Run it as root, in a container for example.',
    )
  const folder = createTemporaryFolder('disk')
  const { path } = folder
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'atrium-test', path])
  // A database that runs as another user has a folder here.
  chmodSync(path, 0o755)
  const cancelGuard = runAfterOurExit('umount -l "$1"; rmdir "$1"', path)
  const ballast = join(path, 'ballast')
  return {
    path,
    fill() {
      const file = openSync(ballast, 'a')
      try {
        for (const bytes of pieceBytes) while (hasRoomFor(file, bytes)) {}
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    setReadOnly: (isReadOnly) =>
      void execFileSync('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, path]),
    remove() {
      execFileSync('umount', ['-l', path])
      cancelGuard()
      folder.remove()
    },
  }
}

function hasRoomFor(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) > 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
