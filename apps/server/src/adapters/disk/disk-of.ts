import { statfs } from 'node:fs/promises'
import type { Disk } from '../../kernel/space.ts'

/** The disk that a folder is on, as far as an unprivileged user may use it. */
export async function diskOf(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
