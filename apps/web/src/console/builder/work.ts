import type { ExperimentAccess, ExperimentStatus, WrittenDefinition } from '@atrium/contract'
import { begin, edit, type History, redo, settle, undo } from './core/history.ts'

export interface BuiltExperiment {
  experimentId: string
  revision: number
  /** If not, the revision is only what the draft was begun with. */
  isPublished: boolean
  status: ExperimentStatus
  access: ExperimentAccess
  definition: WrittenDefinition
}

/** The study on the workbench: its history, and what the platform knows of it. */
export interface Work {
  history: History
  /** The document that is stored as the draft, or published. */
  kept: unknown
  /** Of the draft, for the platform to tell whether somebody else was quicker. */
  version: number
  /** The revision that the draft was begun with. */
  basedOn: number
  /** When the draft was saved last; undefined while there is none. */
  savedAt: number | undefined
  /** Somebody else has saved a version that this document does not contain. */
  rival: Rival | undefined
  /** Somebody else who saved the draft last. */
  colleague: { name: string; at: number } | undefined
}

export interface Rival {
  version: number
  savedBy: string
  savedAt: number
  isYours: boolean
}

export const beginWork = (
  document: unknown,
  known: Pick<Work, 'version' | 'basedOn' | 'savedAt' | 'colleague'>,
): Work => ({ history: begin(document), kept: document, rival: undefined, ...known })

export const isUnsaved = ({ history, kept }: Work): boolean => history.present !== kept

const withHistory =
  (change: (history: History) => History) =>
  (work: Work): Work => {
    const history = change(work.history)
    return history === work.history ? work : { ...work, history }
  }

export const undone = withHistory(undo)
export const redone = withHistory(redo)
export const settled = withHistory(settle)

export const edited = (work: Work, change: (document: unknown) => unknown, mark?: string): Work =>
  withHistory((history) => edit(history, change(history.present), mark))(work)

/** The platform has stored this document; newer edits may have followed meanwhile. */
export const saved = (work: Work, document: unknown, version: number, at: number): Work => ({
  ...work,
  kept: document,
  version,
  savedAt: at,
  rival: undefined,
  colleague: undefined,
})

export const published = (work: Work, document: unknown, version: number, revision: number): Work => ({
  ...work,
  kept: document,
  version,
  basedOn: revision,
  savedAt: undefined,
  rival: undefined,
  colleague: undefined,
})

/** What somebody else has written, as one more step, so that undo brings back one’s own. */
export function adopted(
  work: Work,
  document: unknown,
  known: Pick<Work, 'version' | 'basedOn' | 'savedAt'>,
): Work {
  return {
    ...work,
    ...known,
    history: edit(settle(work.history), document),
    kept: document,
    rival: undefined,
  }
}

/** Save on top of what somebody else has saved. */
export const insisted = (work: Work): Work =>
  work.rival ? { ...work, version: work.rival.version, rival: undefined } : work
