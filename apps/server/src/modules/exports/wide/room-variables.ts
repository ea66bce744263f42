import { LRUCache } from 'lru-cache'
import type { ChangePosition, ExportStore } from '../exports.store.ts'

/** People of a room joined at about the same time, so few rooms are needed at once. */
const maxRooms = 200

interface Change {
  variable: string
  value?: unknown
}

/** The changes in the data of a `variables_changed` row; those whose value was too long to be kept have none. */
export const changesIn = (data: Record<string, unknown>): Change[] =>
  Array.isArray(data.changes) ? data.changes.filter(isChange) : []

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { variable?: unknown }).variable === 'string'

/** The last values of the variables that rooms, not participants, have. */
export function createRoomVariables(store: Pick<ExportStore, 'roomChanges'>) {
  const known = new LRUCache<string, Map<string, unknown>>({ max: maxRooms })
  return async (roomId: string): Promise<Map<string, unknown>> => {
    const earlier = known.get(roomId)
    if (earlier) return earlier
    const values = new Map<string, unknown>()
    let after: ChangePosition | null = null
    do {
      const page: Awaited<ReturnType<ExportStore['roomChanges']>> = await store.roomChanges(roomId, after)
      for (const data of page.changes)
        for (const { variable, value } of changesIn(JSON.parse(data))) values.set(variable, value)
      after = page.next
    } while (after !== null)
    known.set(roomId, values)
    return values
  }
}
