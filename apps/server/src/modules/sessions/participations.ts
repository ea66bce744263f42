import type { SessionHistoryItem } from '@atrium/contract'
import type { HistoryEntry } from './sessions.store.ts'

/** v3 shows no sessions: however often somebody has joined again, they took part once. Newest first, as given. */
export function participationsOf(entries: readonly HistoryEntry[]): Omit<SessionHistoryItem, 'sessionId'>[] {
  const byParticipant = Map.groupBy(entries, ({ participantId }) => participantId)
  return [...byParticipant.values()].flatMap((sessions) => {
    const [newest] = sessions
    if (!newest) return []
    const { participantId: _internal, sessionId: _hidden, ...item } = newest
    return [{ ...item, startedAt: sessions.at(-1)?.startedAt ?? item.startedAt }]
  })
}
