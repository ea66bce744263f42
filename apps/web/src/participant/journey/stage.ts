import type { ConnectionStatus } from '@atrium/client'
import type { ExperimentConfig, RoomSnapshot, WaitingStatus } from '@atrium/contract'
import type { RoomDesk } from '../room/room-desk.ts'

/** Where a participant is on the way through a study. The page shows exactly this. */
export type Stage =
  | { kind: 'entering' }
  | {
      kind: 'consent'
      consent: NonNullable<ExperimentConfig['consent']>
      decide(answer: ConsentAnswer): Promise<void>
    }
  | {
      kind: 'waiting'
      /** Null until the waiting room has spoken. */
      status: WaitingStatus | null
      connection: ConnectionStatus
      leave(): Promise<void>
    }
  | { kind: 'room'; view: RoomSnapshot; connection: ConnectionStatus; notice: string | null; desk: RoomDesk }
  /** The last answers are being stored; no code before that. */
  | { kind: 'finishing'; problem: string | null }
  | { kind: 'done'; outcome: string; completionCode: string | null; redirectUrl: string }
  | Stopped

export interface ConsentAnswer {
  agreed: boolean
  readMs?: number
  scrolledToEnd?: boolean
}

/** It does not go on here. */
export interface Stopped {
  kind: 'stopped'
  title: string
  message: string
  /** What a person can do about it, as the text of a button. */
  remedy: string | null
}
