import type { ParticipantEvent } from '@atrium/contract'
import { EventIdTaken } from '../errors.ts'

/** An event on its way: it has an id, and is exactly what goes over the wire each time it is sent. */
export type QueuedEvent = ParticipantEvent & { eventId: string }

export interface Quarantined {
  event: QueuedEvent
  /** Why the server refused it. */
  code: string
  message: string
  /** Epoch milliseconds. */
  at: number
}

export interface QueueCounts {
  pending: number
  quarantined: number
  /** Over the whole participation, restarts included. */
  acknowledged: number
}

/** The events of one participation. Calls take effect in the order they are made. */
export interface Queue {
  /** Durable when it resolves. An event that already waits, unchanged, is kept once; changed, it is EventIdTaken. */
  append(event: QueuedEvent): Promise<void>
  /** The oldest events, in the order they were appended. They stay until they are acknowledged. */
  take(limit: number): Promise<QueuedEvent[]>
  /** Forgets events that the server has stored. Ids that do not wait are no error: two tabs may both report one. */
  acknowledge(eventIds: readonly string[]): Promise<void>
  /** Sets events aside that the server refuses, so that the others can go on. */
  quarantine(eventIds: readonly string[], why: { code: string; message: string; at: number }): Promise<void>
  quarantined(): Promise<Quarantined[]>
  counts(): Promise<QueueCounts>
  close(): Promise<void>
}

export interface SenderRight {
  /** Whether this tab may send now. */
  isHeld(): boolean
  release(): void
}

export interface QueueStore {
  open(key: string): Promise<Queue>
  /** Others may append to the same queue: what waits must be looked up now and then. */
  readonly isShared: boolean
  /**
   * One sender for each queue. Who asks last gets the right (they are what the person looks at); who loses it gets it
   * back when the other is gone. `onChange` is told of both.
   */
  claimSending(key: string, onChange: () => void): Promise<SenderRight>
}

/** For stores that only one process can open: the right is always there. */
export const soleSender: SenderRight = { isHeld: () => true, release: () => undefined }

/** Whether an event may be appended beside the one that waits under its id: no when it is the same one. */
export function isNews(event: QueuedEvent, waiting: QueuedEvent | undefined): boolean {
  if (!waiting) return true
  if (JSON.stringify(waiting) !== JSON.stringify(event)) throw new EventIdTaken(event.eventId)
  return false
}
