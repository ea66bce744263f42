import { mkdir, open, rename, rmdir } from 'node:fs/promises'
import { dirname, relative } from 'node:path'

export const codeOf = (error: unknown): string | undefined =>
  (error as NodeJS.ErrnoException | undefined)?.code

/** A new or renamed file is on the disk only once its folder is. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return // Folders cannot be opened there.
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Of a folder that may have been removed meanwhile: then its removal is what must be durable. */
async function syncNearest(path: string): Promise<void> {
  try {
    await syncFolder(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    await syncNearest(dirname(path))
  }
}

/** Another request may remove an empty folder just before we rename into it. */
const renameAttempts = 20
/** Forgetting one only costs another fsync. */
const maxKnownFolders = 10_000

export interface Folders {
  /** Creates a folder and those above it as far as they are missing. All of them are durable when it resolves. */
  make(path: string): Promise<void>
  /** Moves a file or folder, which must be on the disk, to where it counts. It replaces a file in one step. */
  publish(from: string, to: string): Promise<void>
  /** Makes the removal of something in `folder` durable, and removes it and those above it, up to `root`, if they are empty. */
  tidy(folder: string, root: string): Promise<void>
}

export function createFolders(): Folders {
  /** Those that we know to be on the disk. One that merely exists may have been created by someone who has not synced yet. */
  const durable = new Set<string>()

  async function make(path: string): Promise<void> {
    if (durable.has(path)) return
    try {
      await mkdir(path, { mode: 0o700 })
    } catch (error) {
      if (codeOf(error) === 'ENOENT') {
        durable.delete(dirname(path))
        await make(dirname(path))
        return await make(path)
      }
      if (codeOf(error) !== 'EEXIST') throw error
    }
    await syncNearest(dirname(path))
    if (durable.size >= maxKnownFolders) durable.clear()
    durable.add(path)
  }

  return {
    make,
    async publish(from, to) {
      for (let attempt = 1; ; attempt++) {
        await make(dirname(to))
        try {
          await rename(from, to)
          break
        } catch (error) {
          if (codeOf(error) !== 'ENOENT' || attempt === renameAttempts) throw error
          durable.clear()
        }
      }
      await syncFolder(dirname(to))
    },
    async tidy(folder, root) {
      await syncNearest(folder)
      for (let path = folder; relative(root, path) !== ''; path = dirname(path)) {
        try {
          await rmdir(path)
        } catch (error) {
          if (codeOf(error) === 'ENOENT') continue
          return // Not empty, usually. An empty folder that stays does no harm.
        }
        durable.delete(path)
      }
    },
  }
}
