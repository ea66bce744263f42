import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** More than any one batch of events takes. */
const spaceBytes = 1024 * 1024

/**
 * Fails when a file in the folder cannot grow. SQLite writes its log over again from the beginning, so that on a full disk a
 * small write succeeds and the next one fails. Removed before the system has brought it to the disk, this costs none.
 */
export async function checkSpace(folder: string): Promise<void> {
  const path = join(folder, 'atrium.db.space')
  try {
    const file = await open(path, 'w', 0o600)
    try {
      await file.writeFile(Buffer.alloc(spaceBytes))
    } finally {
      await file.close()
    }
  } finally {
    await rm(path, { force: true })
  }
}
