import type { MatchRecord, WaitingPerson } from '../../../ports/waiting-queue.ts'
import type { MatchingSettings } from '../matching-settings.ts'

export interface MatchInput {
  /** People who are present and have joined the same revision, by arrival. */
  people: readonly WaitingPerson[]
  settings: MatchingSettings
  /** Pairs that have shared a room of this experiment; empty unless an exclusion needs them. */
  formerPartners: readonly (readonly [string, string])[]
  now: number
  /** The experiment accepts nobody else: there is nothing to wait for, so everyone's deadline is now. */
  isClosing: boolean
}

export interface ProposedGroup {
  members: { participantId: string; role: string }[]
  /** Roles of the seats that agents take. */
  agents: { role: string }[]
  match: MatchRecord
}

export interface Ending {
  participantId: string
  reason: 'deadline' | 'screened_out' | 'closed'
}

/** What the matcher would do now. None of it has happened yet: each group must still be claimed. */
export interface Proposal {
  groups: ProposedGroup[]
  endings: Ending[]
}
