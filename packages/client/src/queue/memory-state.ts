import { isNews, type Quarantined, type QueueCounts, type QueuedEvent } from './queue-store.ts'

type QueueChange =
  | { kind: 'append'; event: QueuedEvent }
  | { kind: 'acknowledge'; eventIds: readonly string[] }
  | { kind: 'quarantine'; eventIds: readonly string[]; code: string; message: string; at: number }

export type QueueState = ReturnType<typeof createQueueState>

/** What the memory store keeps for one participation. */
export function createQueueState() {
  // A Map keeps insertion order and finds by id.
  const pending = new Map<string, QueuedEvent>()
  const quarantined: Quarantined[] = []
  let acknowledged = 0

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
    quarantined: (): Quarantined[] => [...quarantined],
    counts: (): QueueCounts => ({ pending: pending.size, quarantined: quarantined.length, acknowledged }),
  }
}
