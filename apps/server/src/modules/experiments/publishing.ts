import { type ExperimentDefinition, studyOf, type WrittenDefinition } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import { type Identity, signedBy } from '../identity/index.ts'
import type { DefinitionChecks } from './definition-checks.ts'
import { type Drafts, draftText } from './drafts.ts'
import type { ExperimentRecord } from './experiments.store.ts'
import type { Experiments } from './experiments.ts'
import { refuseOversized } from './parse-definition.ts'

interface PublishingDeps {
  experiments: Experiments
  drafts: Drafts
  checks: DefinitionChecks
  /** Throws, with the paths, if a definition names a video that has failed. */
  refuseFailedVideos(definition: ExperimentDefinition): Promise<void>
}

export interface AskedPublication {
  version: number
  basedOn: number
  start?: boolean | undefined
}

export type Publishing = ReturnType<typeof createPublishing>

/** X67: from a draft to what people get. */
export function createPublishing({ experiments, drafts, checks, refuseFailedVideos }: PublishingDeps) {
  async function checked(experimentId: string, asked: AskedPublication, author: Identity) {
    const draft = await drafts.findVersion(experimentId, asked.version)
    if (!draft) return { definition: null, warnings: [], notes: [] }
    refuseOversized(draft.definition)
    const found = await checks.check(draft.definition, author, experimentId)
    if (asked.start || (await experiments.find(experimentId)).status === 'recruiting')
      await refuseFailedVideos(studyOf(found.definition))
    return found
  }

  return {
    /** An experiment of which nothing is published. */
    async begin(written: unknown, author: Identity) {
      const draft = draftText(written)
      const definition = await whatIsValid(written, author, checks)
      const record = await experiments.create(definition ?? emptyStudy(written), signedBy(author), { draft })
      return { record, isValid: definition !== undefined }
    },

    async publish(experimentId: string, asked: AskedPublication, author: Identity) {
      const { version, basedOn, start = false } = asked
      const actor = signedBy(author)
      const { definition, warnings, notes } = await checked(experimentId, asked, author)
      const published = await experiments.publish({
        experimentId,
        version,
        definition,
        basedOn,
        start,
        actor,
      })
      if (!published) throw await drafts.conflict(experimentId)
      const { record, isRepeated } = published
      const isStartDue = start && isRepeated && record.status !== 'recruiting'
      const now: ExperimentRecord = isStartDue
        ? await experiments.changeStatus(experimentId, 'recruiting', actor, basedOn + 1)
        : record
      return { record: now, warnings, notes, version: version + 1 }
    },
  }
}

async function whatIsValid(
  written: unknown,
  author: Identity,
  checks: DefinitionChecks,
): Promise<WrittenDefinition | undefined> {
  try {
    refuseOversized(written)
    return (await checks.check(written, author, null)).definition
  } catch (error) {
    if (error instanceof AppError && Array.isArray(error.details.issues)) return undefined
    throw error
  }
}

/** Stands for a draft that is no definition yet, with its name, for the list of experiments. */
function emptyStudy(written: unknown): ExperimentDefinition {
  const { name } = Object(written) as { name?: unknown }
  const shown = typeof name === 'string' ? name.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim() : ''
  return {
    name: shown === '' ? 'Untitled study' : [...shown].slice(0, 200).join(''),
    states: [{ id: 's1', components: [] }],
  }
}
