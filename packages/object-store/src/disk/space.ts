import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { S3Error } from '../http/s3-error.ts'

interface SpaceOptions {
  folder: string
  /** Bytes that all objects and parts may have together; no limit if absent. */
  maxBytes?: number | undefined
  /** Uploads must leave this much of the disk for others, for example for the database of a running study. */
  keepFreeBytes: number
}

export interface Space {
  /** Refuses an upload before it begins, if it cannot fit. Returns a function that gives the reservation back. */
  reserve(bytes: number): Promise<() => void>
  /** Counts bytes that are stored now; negative for those that are gone. */
  count(bytes: number): void
  usedBytes(): number
}

export async function createSpace({ folder, maxBytes, keepFreeBytes }: SpaceOptions): Promise<Space> {
  let used = maxBytes === undefined ? 0 : await bytesBelow(folder)
  let reserved = 0
  return {
    async reserve(bytes) {
      // Completing an upload needs none, and must be possible on a disk that the upload has filled.
      if (bytes === 0) return () => undefined
      reserved += bytes
      const giveBack = (): void => {
        reserved -= bytes
      }
      try {
        if (maxBytes !== undefined && used + reserved > maxBytes)
          throw new S3Error('StorageFull', 'The quota of this store does not allow an object of this size.')
        const { bavail, bsize } = await statfs(folder)
        // What other uploads have already written is counted twice. Refusing a little early is better than late.
        if (bavail * bsize - reserved < keepFreeBytes) throw new S3Error('StorageFull')
        return giveBack
      } catch (error) {
        giveBack()
        throw error
      }
    },
    count(bytes) {
      used += bytes
    },
    usedBytes: () => used,
  }
}

async function bytesBelow(folder: string): Promise<number> {
  let total = 0
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) total += await bytesBelow(path)
    else if (entry.isFile()) total += (await stat(path)).size
  }
  return total
}
