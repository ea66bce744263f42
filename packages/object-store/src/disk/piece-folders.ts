import { constants, copyFile, link, rename, rm } from 'node:fs/promises'
import { codeOf } from './durable.ts'
import type { Layout } from './layout.ts'

export interface PieceFolders {
  /** Keeps the folder of an upload until the returned function is called, whatever happens to its object meanwhile. */
  hold(uploadId: string): () => void
  /** Removes a folder: at once, or when the last reader has finished. */
  remove(uploadId: string): Promise<void>
}

/**
 * The parts of an object are read one after the other, perhaps for hours. An object that is replaced or deleted
 * meanwhile must not change under its readers.
 */
export function createPieceFolders(layout: Layout, onError: (error: unknown) => void): PieceFolders {
  const holders = new Map<string, number>()
  const doomed = new Set<string>()

  async function removeNow(uploadId: string): Promise<void> {
    doomed.delete(uploadId)
    const path = layout.newTemporary()
    try {
      // In one step. What a crash leaves of the rest is removed at the next start.
      await rename(layout.upload(uploadId), path)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return
      throw error
    }
    await rm(path, { recursive: true, force: true })
  }

  return {
    hold(uploadId) {
      holders.set(uploadId, (holders.get(uploadId) ?? 0) + 1)
      return () => {
        const left = (holders.get(uploadId) ?? 1) - 1
        if (left > 0) {
          holders.set(uploadId, left)
          return
        }
        holders.delete(uploadId)
        if (doomed.has(uploadId)) removeNow(uploadId).catch(onError)
      }
    },
    async remove(uploadId) {
      if (holders.has(uploadId)) doomed.add(uploadId)
      else await removeNow(uploadId)
    },
  }
}

const cannotLink = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV', 'ENOSYS'])

/** A second name for bytes that never change; where the file system has none, a copy, shared if it can. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!cannotLink.has(codeOf(error) ?? '')) throw error
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  }
}
