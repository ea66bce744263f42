import type { RoomEvent, RoomSnapshot } from '@atrium/contract'
import { isRecord } from '../records.ts'

// Only what is needed to put a snapshot or event in order is checked. The rest is trusted, like the documented data of an
// HTTP response: an older page must cope with a newer server that sends more.

export const isRoomSnapshot = (value: unknown): value is RoomSnapshot =>
  isRecord(value) &&
  Number.isInteger(value.seq) &&
  typeof value.serverTime === 'number' &&
  isRecord(value.self) &&
  Array.isArray(value.others)

export const isRoomEvent = (value: unknown): value is RoomEvent =>
  isRecord(value) && Number.isInteger(value.seq) && typeof value.type === 'string'
