import type { WaitingPerson } from '../../../ports/waiting-queue.ts'
import type { MatchingSettings } from '../matching-settings.ts'

export interface MatchInput {
  /** Present, of one revision, by arrival. */
  people: readonly WaitingPerson[]
  settings: MatchingSettings
  /** Pairs that have shared a room of this experiment; asked for only when an exclusion needs it. */
  formerPartners: readonly (readonly [string, string])[]
  now: number
  /** The experiment takes nobody any more: there is nothing to wait for, so everyone's deadline is now. */
  isClosing: boolean
}

export interface ProposedGroup {
  members: { participantId: string; role: string }[]
  /** Roles of the seats that agents take. */
  agents: { role: string }[]
}

export interface Ending {
  participantId: string
  reason: 'deadline' | 'screened_out' | 'closed'
}

/** What the matcher would do now. Nothing of it has happened: each group must still be claimed. */
export interface Proposal {
  groups: ProposedGroup[]
  endings: Ending[]
}
