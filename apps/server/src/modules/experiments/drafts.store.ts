export interface DraftRecord {
  /** 0: there has never been one. */
  version: number
  /** JSON; null: there is none at present. */
  definition: string | null
  basedOn: number
  savedBy: string
  savedAt: number
}

export interface DraftChange {
  experimentId: string
  /** The version that was edited. */
  version: number
  /** Null discards it. */
  definition: string | null
  basedOn: number
  savedBy: string
  now: number
}

export interface DraftStore {
  find(experimentId: string): Promise<DraftRecord | undefined>
  /** `conflict`: somebody else was quicker, and nothing was saved. */
  change(change: DraftChange): Promise<'changed' | 'conflict'>
}
