import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Queue, type QueueStore, soleSender } from '../queue/queue-store.ts'
import { lockQueue } from './queue-lock.ts'
import { openQueueLog } from './queue-log.ts'

/** A queue on the disk, for programs: survives kill -9. One process at a time opens the queue of a participation. */
export function createFileQueue({ folder }: { folder: string }): QueueStore {
  return {
    isShared: false,
    claimSending: async () => soleSender,
    async open(key) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.jsonl`)
      const unlock = await lockQueue(`${path}.lock`)
      try {
        return await queueOn(path, key, unlock)
      } catch (error) {
        await unlock()
        throw error
      }
    },
  }
}

async function queueOn(path: string, key: string, unlock: () => Promise<void>): Promise<Queue> {
  const log = await openQueueLog(path, key)
  const { state } = log
  return {
    async append(event) {
      if (state.isNews(event)) await log.write({ kind: 'append', event })
      else await log.settled()
    },
    take: async (limit) => state.take(limit),
    acknowledge: (eventIds) => log.write({ kind: 'acknowledge', eventIds }),
    quarantine: (eventIds, why) => log.write({ kind: 'quarantine', eventIds, ...why }),
    quarantined: async () => state.quarantined(),
    counts: async () => state.counts(),
    async close() {
      await log.close()
      await unlock()
    },
  }
}
