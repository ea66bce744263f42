import { uncountStreams } from '../figures/uncount.sql.ts'
import type { Sql } from '../tables.ts'

/** The only place where stored events are deleted. With them go the figures that count them, and the keys of repeated requests. */
export async function deleteStreams(store: Sql, streams: readonly number[]): Promise<void> {
  const { db } = store
  if (streams.length === 0) return
  await uncountStreams(store, streams)
  for (const table of ['events', 'event_batches', 'event_streams'] as const)
    await db.deleteFrom(table).where('stream_no', 'in', streams).execute()
}
