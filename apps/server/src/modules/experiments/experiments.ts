import {
  type ExperimentDefinition,
  type ExperimentHead,
  type ExperimentStatus,
  inLanguage,
  stageOf,
  studyOf,
  type WrittenDefinition,
} from '@atrium/contract'
import { type NamedFiles, namedFilesIn } from '@atrium/contract/components'
import { LRUCache } from 'lru-cache'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newExperimentId } from '../../kernel/ids.ts'
import { createExperimentReports, type ExperimentReports, slotsOf } from './experiment-reports.ts'
import type { ExperimentRecord, ExperimentStore, Gone, PublishedDraft, Revised } from './experiments.store.ts'

/** In memory a definition takes several times the size of its text: hundreds of the largest would be gigabytes. */
const maxCachedCharacters = 32 * 1_048_576

export interface Experiments extends ExperimentReports {
  /** As its author wrote it: a text may be given per language. */
  written(experimentId: string, revision: number): Promise<WrittenDefinition>
  /** The whole study with plain texts, in its first language unless the experiment has the one that is asked for. */
  definition(experimentId: string, revision: number, language?: string): Promise<ExperimentDefinition>
  /** R68: the same of one stage; of the first where none is named. */
  stage(
    experimentId: string,
    revision: number,
    stageId: string | null,
    language?: string,
  ): Promise<ExperimentDefinition>
  /** RM214: with the rows of uploaded tables in their place, as rooms play it. */
  filled<Definition extends WrittenDefinition>(definition: Definition): Promise<Definition>
  find(experimentId: string): Promise<ExperimentRecord>
  /** With `draft`, the text of what it begins with, nothing is published yet. */
  create(
    definition: WrittenDefinition,
    actor: string,
    options?: { experimentId?: string; draft?: string },
  ): Promise<ExperimentRecord>
  revise(
    experimentId: string,
    definition: WrittenDefinition,
    actor: string,
    basedOn?: number,
  ): Promise<ExperimentRecord>
  /** X67: undefined if the draft is another by now. */
  publish(
    asked: Omit<PublishedDraft, 'media' | 'now'>,
  ): Promise<{ record: ExperimentRecord; isRepeated: boolean } | undefined>
  changeStatus(
    experimentId: string,
    to: ExperimentStatus,
    actor: string,
    revision?: number,
  ): Promise<ExperimentRecord>
  remove(experimentId: string, actor: string): Promise<void>
  isEmpty(): Promise<boolean>
  recruiting(): Promise<AnyonesHead[]>
  read(experimentId: string): Promise<AnyonesHead & { definition: WrittenDefinition }>
}

export interface ExperimentDeps {
  store: ExperimentStore
  clock: Clock
  filled: Experiments['filled']
}

// Long because it is a list: how experiments are changed, and which refusal each outcome becomes.
export function createExperiments({ store, clock, filled }: ExperimentDeps): Experiments {
  /** Revisions never change, so cached ones stay valid. */
  const definitions = new LRUCache<string, WrittenDefinition>({
    max: 500,
    maxSize: maxCachedCharacters,
    sizeCalculation: (definition) => JSON.stringify(definition).length,
  })

  async function cached<Definition extends WrittenDefinition>(
    key: string,
    read: () => Promise<Definition>,
  ): Promise<Definition> {
    const known = definitions.get(key)
    // What is kept under a key is what was read for it.
    if (known) return known as Definition
    const found = await read()
    definitions.set(key, found)
    return found
  }

  const written = (experimentId: string, revision: number): Promise<WrittenDefinition> =>
    cached(`${experimentId} ${revision}`, async () => {
      const stored = await store.definition(experimentId, revision)
      if (!stored) throw new AppError('EXPERIMENT_NOT_FOUND', { experimentId })
      return stored
    })

  const definition = (
    experimentId: string,
    revision: number,
    language?: string,
  ): Promise<ExperimentDefinition> =>
    cached(`${experimentId} ${revision} ${language ?? ''}`, async () =>
      inLanguage(studyOf(await written(experimentId, revision)), language),
    )

  const stage = async (
    experimentId: string,
    revision: number,
    stageId: string | null,
    language?: string,
  ): Promise<ExperimentDefinition> => {
    const whole = await written(experimentId, revision)
    if (!whole.stages) return await definition(experimentId, revision, language)
    return await cached(`${experimentId} ${revision} ${language ?? ''} ${stageId}`, async () =>
      inLanguage(stageOf(whole, stageId), language),
    )
  }

  async function find(experimentId: string): Promise<ExperimentRecord> {
    const record = await store.find(experimentId)
    if (!record) throw new AppError('EXPERIMENT_NOT_FOUND', { experimentId })
    return record
  }

  /** V28: of tables, the rows are at hand since the definition was checked. */
  const mediaIn = async (written: WrittenDefinition): Promise<NamedFiles> =>
    namedFilesIn(studyOf(await filled(written)))

  return {
    written,
    definition,
    stage,
    filled,
    find,
    async create(definition, actor, { experimentId = newExperimentId(), draft } = {}) {
      const media = await mediaIn(definition)
      const outcome = await store.create({ experimentId, definition, media, draft, actor, now: clock.now() })
      if (outcome !== 'created' && outcome !== 'taken') throw gone(outcome)
      return await find(experimentId)
    },
    async revise(experimentId, definition, actor, basedOn) {
      const media = await mediaIn(definition)
      const outcome = await store.revise({
        experimentId,
        definition,
        media,
        actor,
        now: clock.now(),
        basedOn,
      })
      if (outcome.kind !== 'revised') throw notRevised(outcome, experimentId, basedOn)
      return outcome.record
    },
    async publish(asked) {
      const media = asked.definition ? await mediaIn(asked.definition) : { ids: [], names: [] }
      const outcome = await store.publish({ ...asked, media, now: clock.now() })
      if (outcome.kind === 'draft_conflict') return undefined
      if (outcome.kind !== 'revised' && outcome.kind !== 'repeated')
        throw notRevised(outcome, asked.experimentId, asked.basedOn)
      return { record: outcome.record, isRepeated: outcome.kind === 'repeated' }
    },
    async changeStatus(experimentId, to, actor, revision) {
      const outcome = await store.changeStatus({ experimentId, to, actor, now: clock.now(), revision })
      if (outcome.kind === 'not_found') throw new AppError('EXPERIMENT_NOT_FOUND', { experimentId })
      if (outcome.kind === 'not_published') throw new AppError('NOT_PUBLISHED')
      if (outcome.kind === 'conflict')
        throw new AppError(
          'REVISION_CONFLICT',
          { basedOn: revision, revision: outcome.revision },
          `Revision ${outcome.revision} has been published in the meantime. The status was not changed.`,
        )
      if (outcome.kind === 'credentials_missing')
        throw new AppError('CREDENTIAL_MISSING', { agents: outcome.agents })
      if (outcome.kind === 'refused')
        throw new AppError(
          'STATUS_CONFLICT',
          { from: outcome.from, to },
          `An experiment with the status ${outcome.from} cannot change to ${to}.`,
        )
      return outcome.record
    },
    async remove(experimentId, actor) {
      const outcome = await store.remove({ experimentId, actor, now: clock.now() })
      if (outcome.kind === 'not_found') throw new AppError('EXPERIMENT_NOT_FOUND', { experimentId })
      if (outcome.kind === 'refused')
        throw new AppError(
          'STATUS_CONFLICT',
          { status: outcome.status },
          'Only an experiment that has never recruited can be deleted. Close and archive it instead.',
        )
      if (outcome.kind === 'in_use')
        throw new AppError('ACTION_REFUSED', {}, 'Agents are playing in it. End their rooms first.')
    },
    isEmpty: async () => (await store.list({})).length === 0,
    recruiting: async () => (await store.list({ status: 'recruiting' })).map(headOf),
    async read(experimentId) {
      const record = await find(experimentId)
      return { ...headOf(record), definition: await written(experimentId, record.revision) }
    },
    ...createExperimentReports({ store, clock, find, definition, written }),
  }
}

function notRevised(
  outcome: Exclude<Revised, { kind: 'revised' }>,
  experimentId: string,
  basedOn: number | undefined,
): AppError {
  switch (outcome.kind) {
    case 'not_found':
      return new AppError('EXPERIMENT_NOT_FOUND', { experimentId })
    case 'archived':
      return new AppError(
        'STATUS_CONFLICT',
        { status: 'archived' },
        'An archived experiment cannot be changed.',
      )
    case 'conflict':
      return new AppError('REVISION_CONFLICT', { basedOn, revision: outcome.revision })
    default:
      return gone(outcome.kind)
  }
}

/** The definition was checked, so it was deleted a moment ago; the next check says which. */
const gone = (what: Gone): AppError =>
  validationFailed([{ path: '', message: `names a ${goneThings[what]} that has just been deleted` }])

const goneThings: Readonly<Record<Gone, string>> = {
  video_gone: 'video',
  media_gone: 'picture or sound',
  credential_gone: 'credential',
  table_gone: 'table',
}

/** The part that is the same for everybody. */
type AnyonesHead = Omit<ExperimentHead, 'access'>

export const headOf = (record: ExperimentRecord): AnyonesHead => ({
  experimentId: record.experimentId,
  name: record.name,
  status: record.status,
  revision: record.revision,
  isPublished: record.isPublished,
  availableSlots: slotsOf(record),
})
