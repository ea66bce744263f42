import type { RoomAssigned, WaitingEnded, WaitingStatus } from '@atrium/contract'
import { isRecord } from '../records.ts'

// As with rooms: what we act on is checked, the rest is trusted.

export const isWaitingStatus = (value: unknown): value is WaitingStatus =>
  isRecord(value) && typeof value.needed === 'number'

export const isRoomAssigned = (value: unknown): value is RoomAssigned =>
  isRecord(value) && typeof value.roomId === 'string'

export const isWaitingEnded = (value: unknown): value is WaitingEnded =>
  isRecord(value) && typeof value.reason === 'string'
