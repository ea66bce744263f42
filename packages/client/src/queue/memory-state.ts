import { isNews, type Quarantined, type QueueCounts, type QueuedEvent } from './queue-store.ts'

export type QueueChange =
  | { kind: 'append'; event: QueuedEvent }
  | { kind: 'acknowledge'; eventIds: readonly string[] }
  | { kind: 'quarantine'; eventIds: readonly string[]; code: string; message: string; at: number }

export interface QueueContent {
  pending: QueuedEvent[]
  quarantined: Quarantined[]
  acknowledged: number
}

export type QueueState = ReturnType<typeof createQueueState>

/** A queue in memory: all of the memory store, and what the file store rebuilds from its log. */
export function createQueueState(content: QueueContent = { pending: [], quarantined: [], acknowledged: 0 }) {
  // A Map keeps insertion order and finds by id.
  const pending = new Map(content.pending.map((event) => [event.eventId, event]))
  const quarantined = [...content.quarantined]
  let acknowledged = content.acknowledged

  return {
    isNews: (event: QueuedEvent): boolean => isNews(event, pending.get(event.eventId)),
    apply(change: QueueChange): void {
      if (change.kind === 'append') {
        pending.set(change.event.eventId, change.event)
        return
      }
      for (const eventId of change.eventIds) {
        const event = pending.get(eventId)
        if (!event) continue
        pending.delete(eventId)
        if (change.kind === 'acknowledge') acknowledged++
        else quarantined.push({ event, code: change.code, message: change.message, at: change.at })
      }
    },
    take(limit: number): QueuedEvent[] {
      const taken: QueuedEvent[] = []
      for (const event of pending.values()) {
        if (taken.length === limit) break
        taken.push(event)
      }
      return taken
    },
    content: (): QueueContent => ({ pending: [...pending.values()], quarantined, acknowledged }),
    quarantined: (): Quarantined[] => [...quarantined],
    counts: (): QueueCounts => ({ pending: pending.size, quarantined: quarantined.length, acknowledged }),
  }
}
