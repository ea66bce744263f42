import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Quarantined, QueuedEvent } from './queue-store.ts'

interface Lease {
  queue: string
  holder: string
  /** Epoch milliseconds. */
  until: number
}

interface Schema extends DBSchema {
  pending: {
    key: number
    value: PendingRow
    indexes: { byQueue: string; byId: [queue: string, eventId: string] }
  }
  quarantine: { key: number; value: { queue: string; item: Quarantined }; indexes: { byQueue: string } }
  tallies: { key: string; value: { queue: string; acknowledged: number } }
  leases: { key: string; value: Lease }
}

export interface PendingRow {
  /** Assigned by the database, so that the order of appending holds across tabs. */
  order?: number
  queue: string
  eventId: string
  event: QueuedEvent
}

export type Database = IDBPDatabase<Schema>
type StoreName = 'pending' | 'quarantine' | 'tallies' | 'leases'

export const openDatabase = (name: string): Promise<Database> =>
  openDB<Schema>(name, 1, {
    upgrade(db) {
      const pending = db.createObjectStore('pending', { keyPath: 'order', autoIncrement: true })
      pending.createIndex('byQueue', 'queue')
      pending.createIndex('byId', ['queue', 'eventId'], { unique: true })
      const quarantine = db.createObjectStore('quarantine', { autoIncrement: true })
      quarantine.createIndex('byQueue', 'queue')
      db.createObjectStore('tallies', { keyPath: 'queue' })
      db.createObjectStore('leases', { keyPath: 'queue' })
    },
    // A newer version of the page wants to upgrade: close, or it would wait for us for ever.
    blocking: (_current, _blocked, { target }) => (target as unknown as Database).close(),
  })

/** One transaction over several stores; resolves once it is on disk, not when its requests are done. */
export async function write<Name extends StoreName, Result>(
  db: Database,
  stores: Name[],
  work: (transaction: ReturnType<typeof beginWrite<Name>>) => Promise<Result>,
): Promise<Result> {
  const transaction = beginWrite(db, stores)
  transaction.done.catch(() => undefined) // Awaited below; the work may fail first.
  let result: Result
  try {
    result = await work(transaction)
  } catch (error) {
    abort(transaction)
    throw error
  }
  await transaction.done
  return result
}

/** `strict`, because by default browsers report success once the operating system has the data, which a power cut can lose. */
const beginWrite = <Name extends StoreName>(db: Database, stores: Name[]) =>
  db.transaction(stores, 'readwrite', { durability: 'strict' })

/** A failed request has already aborted it; any other failure, such as an id that is taken, must abort it here. */
function abort(transaction: object): void {
  try {
    // The type of `abort` comes from the DOM types, which the project does not include.
    const { abort } = transaction as { abort(): void }
    abort.call(transaction)
  } catch {
    // Aborted already.
  }
}
