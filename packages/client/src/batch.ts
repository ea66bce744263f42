import type { QueuedEvent } from './queue/queue-store.ts'

/** Well under the server's limits of 500 events and 1 MiB: on a slow line, a small batch is a small loss. */
export const mostEventsPerBatch = 100
const mostBytesPerBatch = 200_000

const bytesOf = (event: QueuedEvent): number => new TextEncoder().encode(JSON.stringify(event)).length + 1

/** The longest prefix that fits. At least one event: if that alone is too large, the server will say so. */
export function cutBatch(events: readonly QueuedEvent[], mostEvents: number): QueuedEvent[] {
  const batch: QueuedEvent[] = []
  let bytes = 0
  for (const event of events.slice(0, mostEvents)) {
    bytes += bytesOf(event)
    if (batch.length > 0 && bytes > mostBytesPerBatch) break
    batch.push(event)
  }
  return batch
}
