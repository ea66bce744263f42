import { open, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ResourceLimits } from 'node:worker_threads'
import { openPrivateFolder } from '../disk/private-folder.ts'
import { asRefusal } from '../sql/failures.ts'
import { type Database, splitReports, storesCalling } from '../sql/stores.ts'
import { keepThread } from './kept-thread.ts'
import { refuseUnfinishedTransfer } from './unfinished-transfer.ts'

interface SqliteOptions {
  /** The thread of the database has ended, or cannot be started again yet. */
  onError?: (error: unknown) => void
  /** Called for a file or folder that other users may read and that we cannot change. */
  onShared?: (path: string) => void
  resourceLimits?: ResourceLimits
}

const files = [
  { name: 'atrium.db', make: true },
  { name: 'atrium.db-wal', make: false },
  { name: 'atrium.db-shm', make: false },
  { name: 'server.lock', make: true },
  { name: 'server.lock-journal', make: false },
]

/**
 * The embedded database: SQLite in DATA_DIR, in a worker thread, and in a second one for what only reads and reads much.
 * SQLite lets readers read beside the one who writes: eight exports at once made an event wait for seconds while they
 * shared its thread.
 */
export async function openSqlite(
  dataDir: string,
  { onError = () => undefined, onShared = () => undefined, resourceLimits = {} }: SqliteOptions = {},
): Promise<Database> {
  const folder = resolve(dataDir)
  refuseUnfinishedTransfer(folder)
  await openPrivateFolder(folder, { files, onShared })
  const options = { dataDir: folder, resourceLimits, onError }
  const writer = await keepThread({ ...options, access: 'write' })
  // It finds the tables as the writer has made them.
  const reader = await keepThread({ ...options, access: 'read' })
  const call = splitReports(reader.call, writer.call)
  const stores = storesCalling(async (store, method, args) => {
    if (method === 'checkWritable') await spaceIn(folder)
    return await call(store, method, args)
  })
  return {
    ...stores,
    async close() {
      // The last one to leave brings the log of changes into the file, and a reader may not write.
      await reader.close()
      await writer.close()
    },
  }
}

const spaceIn = (folder: string): Promise<void> =>
  checkSpace(folder).catch((error: unknown) => {
    throw asRefusal(error)
  })

/** More than any batch of events needs. */
const spaceBytes = 1024 * 1024

/**
 * Fails when a file in the folder cannot grow. SQLite reuses its log from the start, so on a full disk a small write
 * may succeed and the next one fail. The file is deleted before the system flushes it, so this writes nothing to the
 * disk.
 */
async function checkSpace(folder: string): Promise<void> {
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
