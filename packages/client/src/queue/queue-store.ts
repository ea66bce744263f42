import type { ParticipantEvent } from '@atrium/contract'
import { EventIdTaken } from '../errors.ts'

/** A queued event: it has an id, and is exactly what is sent each time. */
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
  /** For the whole participation, including restarts. */
  acknowledged: number
}

/** The events of one participation. Calls take effect in order. */
export interface Queue {
  /** Durable once it resolves. Appending the same event again has no effect; a different one under the same id is EventIdTaken. */
  append(event: QueuedEvent): Promise<void>
  /** The oldest events, in the order they were appended. They stay until they are acknowledged. */
  take(limit: number): Promise<QueuedEvent[]>
  /** Removes events that the server has stored. Unknown ids are not an error: two tabs may report the same one. */
  acknowledge(eventIds: readonly string[]): Promise<void>
  /** Sets aside events that the server refuses, so that the others can be sent. */
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
  /** Other tabs may append to the same queue, so it must be checked regularly. */
  readonly isShared: boolean
  /**
   * One sender per queue. The newest tab to ask gets the right, since that is what the person is looking at; the one that
   * loses it gets it back when the other is gone. `onChange` is called in both cases.
   */
  claimSending(key: string, onChange: () => void): Promise<SenderRight>
}

/** For stores that only one process can open, which therefore always has the right to send. */
export const soleSender: SenderRight = { isHeld: () => true, release: () => undefined }

/** Whether an event must be appended although its id is in the queue: not when it is the same event. */
export function isNews(event: QueuedEvent, waiting: QueuedEvent | undefined): boolean {
  if (!waiting) return true
  if (JSON.stringify(waiting) !== JSON.stringify(event)) throw new EventIdTaken(event.eventId)
  return false
}
