import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** More than any batch of events needs. */
const spaceBytes = 1024 * 1024

/**
 * Fails when a file in the folder cannot grow. SQLite reuses its log from the start, so on a full disk a small write
 * may succeed and the next one fail. The file is deleted before the system flushes it, so this writes nothing to the
 * disk.
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
