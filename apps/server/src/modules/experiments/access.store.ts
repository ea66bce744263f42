import type { AccessSubject, Share } from '@atrium/contract'
import type { Ownership } from './access.ts'
import type { ExperimentRecord } from './experiments.store.ts'

/** By what an address names an experiment: itself, one of its rooms, or a session in it. */
export interface Subject {
  kind: AccessSubject
  id: string
}

interface StoredShare extends Share {
  principal: string
}

export interface AccessStore {
  /** Undefined when there is nothing of that name. */
  find(subject: Subject, principals: string[]): Promise<Ownership | undefined>
  /** Newest first: what one of the owners made and what is shared with one of the principals; all for `null`. */
  visible(
    owners: string[] | null,
    principals: string[],
  ): Promise<{ record: ExperimentRecord; ownership: Ownership }[]>
  shares(experimentId: string): Promise<Share[]>
  replaceShares(replacement: {
    experimentId: string
    shares: StoredShare[]
    actor: string
    now: number
  }): Promise<void>
}
