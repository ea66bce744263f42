import type { Sql } from '../tables.ts'

/**
 * The only place where stored events are deleted: whatever counts events has to be told here. With them go the keys of
 * repeated requests.
 */
export async function deleteStreams({ db }: Sql, streams: readonly number[]): Promise<void> {
  if (streams.length === 0) return
  for (const table of ['events', 'event_batches', 'event_streams'] as const)
    await db.deleteFrom(table).where('stream_no', 'in', streams).execute()
}
