import { draftRoutes, type ExperimentDefinition, type StudyDraft } from '@atrium/contract'
import { useLocation } from 'wouter'
import { texts } from '../../text/console.ts'
import { readJson } from '../definition/json-places.ts'
import { refusedPlaces } from '../definition/refused-places.ts'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { useApi } from '../session/session.ts'
import { useCreateExperiment } from './experiment-queries.ts'
import { startingPoints } from './starting-points.ts'

type Drafted = Extract<StudyDraft, { kind: 'drafted' }>

export type NewStudy = ReturnType<typeof useNewStudy>

/** Makes a study from a template, a file or a draft, and opens it in the builder. */
export function useNewStudy() {
  const api = useApi()
  const text = texts().newExperiment
  const save = useCreateExperiment()
  const [, navigate] = useLocation()
  const failed = (error: unknown) =>
    notifyFailed(text.notSaved, error instanceof Error ? error : new Error(String(error)))
  const open = (experimentId: string) => navigate(`/experiments/${experimentId}/definition`)

  async function create(definition: ExperimentDefinition): Promise<void> {
    try {
      const { experimentId } = await save.mutateAsync(definition)
      open(experimentId)
    } catch (error) {
      failed(error)
    }
  }

  /** What is not a valid definition yet becomes the draft of an empty one, to be mended in the builder. */
  async function read(file: File): Promise<void> {
    const found = readJson(await file.text())
    if (!found.ok) return failed(new Error(texts().builder.notJson))
    const definition = found.value as ExperimentDefinition
    try {
      const { experimentId } = await save.mutateAsync(definition)
      open(experimentId)
    } catch (error) {
      if (!(error instanceof Error) || refusedPlaces(error).length === 0) return failed(error)
      await openAsDraft(file.name.slice(0, 200), definition, text.importedAsDraft).catch(failed)
    }
  }

  async function openAsDraft(name: string, definition: unknown, done: string): Promise<void> {
    const [blank] = startingPoints
    const { experimentId } = await save.mutateAsync({ ...blank.definition, name })
    await api.call(draftRoutes.save, {
      params: { experimentId },
      body: { version: 0, basedOn: 1, definition },
    })
    notifyDone(done)
    open(experimentId)
  }

  /** Never more than a draft, even if it is valid: what a model has written is read before anybody gets it. */
  const openDraft = ({ definition, isValid, leftOut }: Drafted): Promise<void> =>
    openAsDraft(nameIn(definition), definition, texts().describeStudy.done(isValid, leftOut))

  return {
    create: (definition: ExperimentDefinition) => void create(definition),
    read,
    openDraft,
    isPending: save.isPending,
  }
}

/** A model may have left it out, or written something that is no name. */
function nameIn(definition: unknown): string {
  const { name } = Object(definition) as { name?: unknown }
  const written = typeof name === 'string' ? name.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim() : ''
  return written === '' ? texts().describeStudy.untitled : [...written].slice(0, 200).join('')
}
