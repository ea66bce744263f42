import { type Clock, systemClock } from '../clock.ts'
import { type Database, openDatabase, type PendingRow, write } from './database.ts'
import { isNews, type Queue, type QueueStore } from './queue-store.ts'
import { claimByLease } from './sender-lease.ts'
import { claimByLock, type Locks } from './sender-lock.ts'

export interface IndexedDbQueueDeps {
  /** `navigator.locks`; without it a lease row in the database is used, which notices a closed tab later. */
  locks?: Locks | undefined
  clock?: Clock
  databaseName?: string
}

/** The queue in a browser: survives reloads and crashes, and is shared by the tabs of one origin. */
export function createIndexedDbQueue(deps: IndexedDbQueueDeps = {}): QueueStore {
  const { locks, clock = systemClock, databaseName = 'atrium-queue' } = deps
  return {
    isShared: true,
    claimSending: async (key, onChange) =>
      locks
        ? await claimByLock(locks, `${databaseName} ${key}`, onChange)
        : await claimByLease(await openDatabase(databaseName), key, clock, onChange),
    open: async (key) => queueOn(await openDatabase(databaseName), key),
  }
}

const queueOn = (db: Database, queue: string): Queue => ({
  append: (event) =>
    write(db, ['pending'], async (transaction) => {
      const pending = transaction.objectStore('pending')
      const waiting = await pending.index('byId').get([queue, event.eventId])
      if (isNews(event, waiting?.event)) await pending.add({ queue, eventId: event.eventId, event })
    }),
  take: async (limit) => {
    const rows = await db.getAllFromIndex('pending', 'byQueue', queue, limit)
    return rows.map(({ event }) => event)
  },
  acknowledge: (eventIds) =>
    write(db, ['pending', 'tallies'], async (transaction) => {
      const removed = await removeRows(transaction.objectStore('pending'), queue, eventIds)
      const tallies = transaction.objectStore('tallies')
      const before = (await tallies.get(queue))?.acknowledged ?? 0
      await tallies.put({ queue, acknowledged: before + removed.length })
    }),
  quarantine: (eventIds, why) =>
    write(db, ['pending', 'quarantine'], async (transaction) => {
      const removed = await removeRows(transaction.objectStore('pending'), queue, eventIds)
      for (const { event } of removed)
        await transaction.objectStore('quarantine').add({ queue, item: { event, ...why } })
    }),
  quarantined: async () => {
    const rows = await db.getAllFromIndex('quarantine', 'byQueue', queue)
    return rows.map(({ item }) => item)
  },
  counts: async () => {
    // One transaction, so that an event on its way from one store to the other is counted once.
    const transaction = db.transaction(['pending', 'quarantine', 'tallies'])
    const [pending, quarantined, tally] = await Promise.all([
      transaction.objectStore('pending').index('byQueue').count(queue),
      transaction.objectStore('quarantine').index('byQueue').count(queue),
      transaction.objectStore('tallies').get(queue),
    ])
    return { pending, quarantined, acknowledged: tally?.acknowledged ?? 0 }
  },
  close: async () => db.close(),
})

interface PendingStore {
  index(name: 'byId'): { get(key: [string, string]): Promise<PendingRow | undefined> }
  delete(order: number): Promise<void>
}

async function removeRows(
  pending: PendingStore,
  queue: string,
  eventIds: readonly string[],
): Promise<PendingRow[]> {
  const removed: PendingRow[] = []
  for (const eventId of eventIds) {
    const row = await pending.index('byId').get([queue, eventId])
    if (row?.order === undefined) continue
    await pending.delete(row.order)
    removed.push(row)
  }
  return removed
}
