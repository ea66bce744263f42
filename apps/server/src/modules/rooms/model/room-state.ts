import type { MessageView, SeatStatus } from '@atrium/contract'
import type { Step, Value } from '../../flow/index.ts'

/** A room is data: this is all of it. What happened is in the log; this is what it came to. */
export interface RoomState {
  roomId: string
  experimentId: string
  revision: number
  /** Everything drawn in this room is drawn from it. */
  seed: string
  /** The how-manieth room of the experiment this is; balanced and Latin-square assignment count by it. */
  ordinal: number
  condition: string | null
  status: { kind: 'running' } | { kind: 'paused'; since: number } | { kind: 'ended'; reason: string }
  /** The number of the newest event. */
  seq: number
  variables: Readonly<Record<string, Value>>
  /** Where the room is, when everyone moves together; null when each participant has a pace of their own. */
  flow: FlowState | null
  seats: readonly Seat[]
  messages: readonly StoredMessage[]
  messageCount: number
  /** Actions of the log that a later version could not apply again; absent while there are none. */
  skippedActions?: number
}

interface StoredMessage {
  message: MessageView
  /** The participants whose role may read it; null for everyone. */
  to: readonly string[] | null
  /** Those of them who did not see the chat when it was said, or were no longer in; absent when there are none. */
  missedBy?: readonly string[]
}

export interface FlowState {
  steps: readonly Step[]
  /** Index into the steps; their number when the way is at its end. */
  position: number
  /** Counts the states entered, so that two visits of one state are told apart. */
  visit: number
  /** How often each bounded transition was taken, by `state/index`. */
  taken: Readonly<Record<string, number>>
  enteredAt: number
  deadlineAt: number | null
}

export interface Seat {
  participantId: string
  alias: string
  role: string
  status: SeatStatus
  outcome: string | null
  presence: { kind: 'connected' } | { kind: 'away'; since: number; graceUntil: number | null }
  variables: Readonly<Record<string, Value>>
  /** The newest response to each component, for expressions. */
  responses: Readonly<Record<string, Value>>
  /** What this participant did in the present visit of the state. */
  here: Visit
  flow: FlowState | null
  /** The newest actions that were applied, so that a repeated one gets its first answer. Older ones are in the log. */
  recent: readonly { actionId: string; seq: number }[]
}

export interface Visit {
  ready: boolean
  answers: Readonly<Record<string, Answer>>
}

interface Answer {
  value: Value
  isFinal: boolean
  attempts: number
  result: Record<string, unknown> | null
}

export const emptyVisit: Visit = { ready: false, answers: {} }

/**
 * Repeats come within seconds of the first attempt; a participant does far fewer things meanwhile. Beyond that the log is
 * asked (RM65), in the transaction that would store the action again: whoever does less never asks it.
 */
export const rememberedActions = 100
export const rememberedMessages = 200

/** An entry by its id. A researcher may call a component `constructor`, which every object answers to. */
export const entryOf = <Entry>(entries: Readonly<Record<string, Entry>>, id: string): Entry | undefined =>
  Object.hasOwn(entries, id) ? entries[id] : undefined

export const isActive = (seat: Seat): boolean => seat.status === 'active'
/** Who may still come back and go on. */
export const isOpen = (seat: Seat): boolean => seat.status === 'active' || seat.status === 'dropped'
