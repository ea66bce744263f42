import { type DraftView, findUnstorable, limits } from '@atrium/contract'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import type { DraftChange, DraftRecord, DraftStore } from './drafts.store.ts'
import type { Experiments } from './experiments.ts'

export interface Drafts {
  conflict(experimentId: string): Promise<AppError>
  /** A version that is still the newest one. */
  findVersion(experimentId: string, version: number): Promise<{ definition: unknown } | undefined>
  read(experimentId: string, author: Identity, known: number | undefined): Promise<DraftView>
  save(
    experimentId: string,
    written: { version: number; basedOn: number; definition: unknown },
    author: Identity,
  ): Promise<DraftView>
  discard(experimentId: string, version: number, author: Identity): Promise<DraftView>
}

interface DraftDeps {
  store: DraftStore
  experiments: Pick<Experiments, 'find'>
  clock: Clock
}

/** What editors of an experiment write together before they publish it. One draft each; nobody overwrites another unseen. */
export function createDrafts({ store, experiments, clock }: DraftDeps): Drafts {
  async function conflict(experimentId: string): Promise<AppError> {
    const found = await store.find(experimentId)
    return new AppError('DRAFT_CONFLICT', {
      version: found?.version ?? 0,
      savedAt: found?.savedAt ?? null,
      savedBy: found?.savedBy ?? null,
    })
  }

  async function change(asked: Omit<DraftChange, 'now' | 'savedBy'>, author: Identity): Promise<DraftView> {
    const [savedBy, now] = [actorOf(author), clock.now()]
    if ((await store.change({ ...asked, savedBy, now })) === 'conflict')
      throw await conflict(asked.experimentId)
    return viewOf({ ...asked, version: asked.version + 1, savedBy, savedAt: now }, author, false)
  }

  return {
    conflict,
    async findVersion(experimentId, version) {
      const record = await store.find(experimentId)
      if (record?.version !== version || record.definition === null) return undefined
      return { definition: JSON.parse(record.definition) }
    },
    async read(experimentId, author, known) {
      const record = await store.find(experimentId)
      return viewOf(record, author, record?.version !== known)
    },
    async save(experimentId, written, author) {
      const definition = draftText(written.definition)
      const { status } = await experiments.find(experimentId)
      if (status === 'archived')
        throw new AppError('STATUS_CONFLICT', { status }, 'An archived experiment cannot be changed.')
      return await change({ ...written, experimentId, definition }, author)
    },
    async discard(experimentId, version, author) {
      const { revision, isPublished } = await experiments.find(experimentId)
      if (!isPublished)
        throw new AppError(
          'NOT_PUBLISHED',
          {},
          'There is nothing but this draft. Delete the experiment instead.',
        )
      const record = await store.find(experimentId)
      // There is nothing to discard, and nothing to conflict with.
      if (!record && version === 0) return viewOf(undefined, author, false)
      return await change({ experimentId, version, definition: null, basedOn: revision }, author)
    },
  }
}

/** As it is stored, or throws where it cannot be. */
export function draftText(written: unknown): string {
  const unstorable = findUnstorable(written, limits.jsonDepth)
  if (unstorable) throw validationFailed([unstorable])
  // An absent property is no JSON; nobody writes that, but a request may.
  return JSON.stringify(written ?? null)
}

function viewOf(record: DraftRecord | undefined, reader: Identity, isWhole: boolean): DraftView {
  if (!record) return { version: 0, draft: null }
  const { version, definition, basedOn, savedAt, savedBy } = record
  if (definition === null) return { version, draft: null }
  const isYours = savedBy === actorOf(reader)
  return {
    version,
    draft: { definition: isWhole ? JSON.parse(definition) : null, basedOn, savedAt, savedBy, isYours },
  }
}
