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

/** Creates missing folders, each of them durably. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    if (codeOf(error) !== 'ENOENT') throw error
    await makeFolder(dirname(path))
    return await makeFolder(path)
  }
  await syncFolder(dirname(path))
}

/** Another request may remove an empty folder just before we rename into it. */
const renameAttempts = 20

/** Moves a file, whose bytes must be on the disk, to where it counts. It replaces what was there in one step. */
export async function publish(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await makeFolder(dirname(to))
    try {
      await rename(from, to)
      break
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt === renameAttempts) throw error
    }
  }
  await syncFolder(dirname(to))
}

/** Removes the folder of a deleted object and those above it, up to `root`, as far as they are empty. */
export async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let path = folder; relative(root, path) !== ''; path = dirname(path)) {
    try {
      await rmdir(path)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') continue
      return // Not empty, usually. An empty folder that stays does no harm.
    }
  }
}
