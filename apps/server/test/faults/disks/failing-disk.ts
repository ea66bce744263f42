import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'

/** A disk in a file, with ext4, which Linux makes read-only when it finds an error there, whoever has files open. */
export function createFailingDisk(megabytes: number) {
  if (process.getuid?.() !== 0)
    throw new Error(
      'This test mounts a disk, which only root may do. Run it as root, in a container for example.',
    )
  const [image, mounted] = [createTemporaryFolder('image'), createTemporaryFolder('disk')]
  const [file, { path }] = [join(image.path, 'disk.img'), mounted]
  writeFileSync(file, '')
  truncateSync(file, megabytes * 2 ** 20)
  execFileSync('mkfs.ext4', ['-q', '-F', file])
  const mount = () => execFileSync('mount', ['-o', 'loop,errors=remount-ro', file, path])
  mount()
  return {
    path,
    /** Reports an error to the file system, as a broken sector would. */
    fail: () => writeFileSync(`/sys/fs/ext4/${deviceAt(path)}/trigger_fs_error`, '1'),
    /** As an operator would. Nothing on it may be open. */
    mend() {
      execFileSync('umount', [path])
      // 1: it has corrected something, which is what it is for.
      const { status } = spawnSync('e2fsck', ['-p', file])
      if (status !== 0 && status !== 1) throw new Error(`e2fsck ended with ${status}`)
      mount()
    },
    remove() {
      execFileSync('umount', ['-l', path])
      mounted.remove()
      image.remove()
    },
  }
}

/** The name of the loop device that is mounted there. */
function deviceAt(path: string): string {
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
  return basename(mounts.find(([, place]) => place === path)?.[0] ?? '')
}
