import type { Agent, DropReason, MessageView, SeatStatus, UnanswerableReason } from '@atrium/contract'
import type { Value } from '@atrium/expressions'
import type { PayableRound, RoleRing, Step } from '@atrium/flow'
import type { AgentPart, Mediator } from './agent-part.ts'
import type { Playback } from './playback.ts'

/** The whole of a room, as data. The log holds what happened; this is the result. */
export interface RoomState {
  roomId: string
  experimentId: string
  revision: number
  /** All random draws in this room derive from it. */
  seed: string
  /** R68: the stage that is played here; absent for the first. */
  stage?: string
  /** Position of this room in the experiment, counted from 0; balanced and Latin-square assignment depend on it. */
  ordinal: number
  /** That of everyone in it; null where each participant has one of their own. */
  condition: string | null
  status: { kind: 'running' } | { kind: 'paused'; since: number } | { kind: 'ended'; reason: string }
  /** Number of the newest event. */
  seq: number
  variables: Readonly<Record<string, Value>>
  /** Where the room is when everyone moves together; null when participants move at their own pace. */
  flow: FlowState | null
  seats: readonly Seat[]
  messages: readonly StoredMessage[]
  messageCount: number
  /** RM215: absent unless a block rotates roles. */
  rotation?: RoleRing
  /** RM245: by place in the network, the places that it is joined with, in order; absent where there is none. Replaced as a whole, never changed. */
  network?: readonly (readonly number[])[]
  /** What plays in step; absent when nothing does, and in rooms of earlier versions. */
  playback?: readonly Playback[]
  /** R43: agents without a seat; absent when there are none. */
  mediators?: readonly Mediator[]
  /** RM172: agents are hidden, and come and go as people do. Absent elsewhere, and in rooms of earlier versions. */
  isBlended?: true
  /** RM181: hidden agents finish what they have begun. Absent elsewhere, and in rooms of earlier versions. */
  finishesTurns?: true
  /** The agents of a pilot, which takes the place of those in the definition. */
  personas?: readonly Agent[]
  /** Number of logged actions that a later version could not apply again; absent while it is zero. */
  skippedActions?: number
}

export interface StoredMessage {
  message: MessageView
  /** Who wrote it, where an alias does not tell: a hidden agent goes on under that of the person whose seat it took. */
  by?: string
  /** The participants whose role may read it; null for everyone. */
  to: readonly string[] | null
  /** Those of them who did not see the chat at the time, or were no longer in; absent when there are none. */
  missedBy?: readonly string[]
}

export interface FlowState {
  steps: readonly Step[]
  /** Index into the steps; their number once the end is reached. */
  position: number
  /** Counts the states entered, which tells two visits to the same state apart. */
  visit: number
  /** How often each transition was taken, by `state/index`. */
  taken: Readonly<Record<string, number>>
  enteredAt: number
  deadlineAt: number | null
  /** RM207: the state is over, and conditions are assigned before the next is chosen. What has ended it; absent otherwise. */
  leaving?: 'people' | 'time' | 'limit'
  /** RM218: absent where no time limit applies. */
  limits?: TimeLimits
}

export interface TimeLimits {
  /** Of the whole study; it applies `before` this position of the path. */
  study?: { at: number; before: number }
  /** Of the blocks that they are in. */
  blocks?: Readonly<Record<string, number>>
}

export interface Seat {
  participantId: string
  alias: string
  role: string
  /** RM215: their place in the rotation of the room; absent where there is none. */
  rotationPlace?: number
  /** RM245: their place in the network of the room, counted from 0; absent where there is none. */
  place?: number
  /** RM221: the block that the others play without them. */
  skips?: string
  /** RM205: their own; absent where the room has one for all. */
  condition?: string
  /** RM207: since when their condition is to be assigned; absent unless it is. */
  toAssignSince?: number
  status: SeatStatus
  outcome: string | null
  /** R68: the stage that they have gone on to; absent for everyone else. */
  nextStage?: string
  presence: { kind: 'connected' } | Away
  /**
   * RM96: whether they have never been here, or a state of theirs ended without them since they went. Absent in rooms that
   * were opened before this was counted.
   */
  hasMissed?: boolean
  /** The language of the experiment that they read; absent for the first one. */
  language?: string
  /** RM193: absent where the study reads nothing of it. */
  metadata?: Readonly<Record<string, Value>>
  variables: Readonly<Record<string, Value>>
  /** The newest response to each component, for expressions. */
  responses: Readonly<Record<string, Value>>
  /** RM200: what each round was worth when it ended; absent where no rounds are drawn for payment. */
  roundValues?: readonly RoundValue[]
  /** What this participant has done in the current visit. */
  here: Visit
  flow: FlowState | null
  /** R92: absent for those who are in or completed, and for those who left a room of an earlier version. */
  departure?: Departure
  /** RM196: since when they are out for good; absent for those who are in or completed, and in rooms of earlier versions. */
  gone?: Gone
  /** R43: absent when a person sits here. */
  agent?: AgentPart
  /** The participant who took over what this one had done; absent unless somebody did. */
  replacedBy?: string
  /** The newest applied actions, so that a repeat gets the answer of the first. Older ones are in the log. */
  recent: readonly { actionId: string; seq: number }[]
}

/** The newest value if a round was played again. Null if it was no number. */
export interface RoundValue extends PayableRound {
  value: number | null
}

/** When and where somebody who did not complete was last here, and why they did not. */
export interface Departure {
  at: number
  stateId: string | null
  reason: DropReason
}

interface Gone {
  at: number
  /** Which visit of the room it was; null where everyone moves at their own pace. */
  visit: number | null
}

interface Away {
  kind: 'away'
  since: number
  /** Where they were then; null if they never came. Absent in rooms of earlier versions. */
  stateId?: string | null
  graceUntil: number | null
  /** The server lost the connection, in a restart or a take-over, not the participant. */
  isServersFault?: true
}

export interface Visit {
  ready: boolean
  answers: Readonly<Record<string, Answer>>
  /** RM222: until when they have time, where everyone has a time of their own. */
  until?: number
  /** RM221, RM222: they wait while others are in the state; absent for most. */
  sitsOut?: true
  /** RM244: why components cannot be answered; absent for nearly everyone. */
  unanswerable?: Readonly<Record<string, UnanswerableReason>>
  /** Positions in media that were rated, by rating; absent when there are none. */
  rated?: Readonly<Record<string, readonly number[]>>
  /** RM133: a result of the state before, which ended before it could be read; absent for most. */
  unread?: UnreadResult
  /** RM131: the page may read differently from what they were told last; absent for nearly everyone. */
  hasOldTexts?: true
}

interface UnreadResult {
  componentId: string
  result: Record<string, unknown>
}

interface Answer {
  value: Value
  /** What the participant sent, and still sees, where the record holds more; absent for most. */
  sent?: Value
  isFinal: boolean
  attempts: number
  result: Record<string, unknown> | null
  /** RM196: whom the component had asked about; absent where it asks nothing of the kind. */
  targets?: readonly string[]
  /** When the result was given; absent without one, and in rooms of earlier versions. */
  resultAt?: number
}

export const emptyVisit: Visit = { ready: false, answers: {} }

/**
 * Repeats come within seconds of the first attempt, and a participant performs far fewer actions in that time. Beyond this
 * the log is consulted (RM65), in the transaction that would store the action again.
 */
export const rememberedActions = 100
export const rememberedMessages = 200

/** Looks up an own entry by id: a component may be called `constructor`, which every object inherits. */
export const entryOf = <Entry>(entries: Readonly<Record<string, Entry>>, id: string): Entry | undefined =>
  Object.hasOwn(entries, id) ? entries[id] : undefined

/** RM205: the condition of a participant; of the room where none is meant. */
export const conditionIn = (room: Pick<RoomState, 'condition'>, seat: Seat | null): string | null =>
  seat?.condition ?? room.condition

export const isActive = (seat: Seat): boolean => seat.status === 'active'
/** Whether the participant is taking part, or may still come back and continue. */
export const isOpen = (seat: Seat): boolean => seat.status === 'active' || seat.status === 'dropped'
