import type { AccessSubject, Share } from '@atrium/contract'
import type { Ownership } from './access.ts'
import type { ExperimentRecord } from './experiments.store.ts'

/** How an address names an experiment: by its id, one of its rooms, or one of its sessions. */
export interface Subject {
  kind: AccessSubject
  id: string
}

interface StoredShare extends Share {
  principal: string
}

export interface AccessStore {
  /** Undefined if nothing has that id. */
  find(subject: Subject, principals: string[]): Promise<Ownership | undefined>
  /** Newest first: experiments made by one of the owners or shared with one of the principals; all for `null`. */
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
