import type { RoomEvent, RoomSnapshot } from '@atrium/contract'
import { isRecord } from '../records.ts'

// What a snapshot or event needs to be placed in order is checked; the rest is believed, as the documented data of an
// HTTP answer is: an older page must live with a newer server that says more.

export const isRoomSnapshot = (value: unknown): value is RoomSnapshot =>
  isRecord(value) &&
  Number.isInteger(value.seq) &&
  typeof value.serverTime === 'number' &&
  isRecord(value.self) &&
  Array.isArray(value.others)

export const isRoomEvent = (value: unknown): value is RoomEvent =>
  isRecord(value) && Number.isInteger(value.seq) && typeof value.type === 'string'
