import type { Tables } from '../tables.ts'

/**
 * R88: when it happened by the participant's clock; null where the server acted. A row of a room has their time in `timestamp` if
 * it has an estimate of their clock; rows older than 0031 have none, and are told by the two times being different.
 */
export const clientTimeOf = (
  row: Pick<Tables['events'], 'timestamp' | 'received_at' | 'room_seq' | 'clock_offset_ms'>,
): number | null =>
  row.room_seq === null || row.clock_offset_ms !== null || row.timestamp !== row.received_at
    ? row.timestamp
    : null
