import type { ConnectionStatus } from '@atrium/client'
import type {
  ExperimentConfig,
  ParadataKind,
  RecruitingSite,
  RoomSnapshot,
  ShownPayment,
  WaitingStatus,
} from '@atrium/contract'
import type { RoomActions } from '../room/room-actions.ts'

/** Where a participant is in a study. The page shows exactly this. */
export type Stage =
  | { kind: 'entering' }
  | {
      kind: 'consent'
      consent: NonNullable<ExperimentConfig['consent']>
      /** R93: what the page would measure. */
      paradata: readonly ParadataKind[]
      decide(answer: ConsentAnswer): Promise<void>
    }
  | {
      kind: 'waiting'
      /** Null until the waiting room has sent its first status. */
      status: WaitingStatus | null
      connection: ConnectionStatus
      leave(): Promise<void>
    }
  | {
      kind: 'room'
      view: RoomSnapshot
      connection: ConnectionStatus
      notice: string | null
      /** Aliases of those who have taken a seat since the state began. */
      newcomers: readonly string[]
      actions: RoomActions
    }
  /** The last answers are being stored; the code follows after that. */
  | { kind: 'finishing'; problem: string | null }
  | {
      kind: 'done'
      outcome: string
      completionCode: string | null
      redirectUrl: string
      /** What they have earned, where the study tells them. */
      payment?: ShownPayment | undefined
      /** Whether the researchers ended it for this person alone. */
      isRemoved?: boolean
      /** Where they came from. */
      site?: RecruitingSite | undefined
      /** Allows another start, which the page then makes; absent where nobody can come back. */
      again?(): void
      /** Deletes the participant; absent unless the experiment allows it. */
      withdrawal?: { deletes: 'identity' | 'all'; confirm(): Promise<void> }
    }
  | Stopped

export interface ConsentAnswer {
  agreed: boolean
  readMs?: number
  scrolledToEnd?: boolean
}

/** The study cannot continue here. */
export interface Stopped {
  kind: 'stopped'
  title: string
  message: string
  /** The label of the button that helps; null if nothing does. */
  remedy: string | null
  /** Only a new page helps. */
  reloads?: boolean
  /** Nothing helps here, but there may be other studies. */
  hasOthers?: boolean
}
