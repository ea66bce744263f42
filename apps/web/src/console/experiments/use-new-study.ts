import { draftRoutes, type ExperimentDefinition } from '@atrium/contract'
import { useLocation } from 'wouter'
import { texts } from '../../text/console.ts'
import { readJson } from '../definition/json-places.ts'
import { refusedPlaces } from '../definition/refused-places.ts'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { useApi } from '../session/session.ts'
import { useCreateExperiment } from './experiment-queries.ts'
import { startingPoints } from './starting-points.ts'

/** Makes a study from a template or a file, and opens it in the builder. */
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
      await readAsDraft(file.name, definition).catch(failed)
    }
  }

  async function readAsDraft(fileName: string, definition: unknown): Promise<void> {
    const [blank] = startingPoints
    const { experimentId } = await save.mutateAsync({ ...blank.definition, name: fileName.slice(0, 200) })
    await api.call(draftRoutes.save, {
      params: { experimentId },
      body: { version: 0, basedOn: 1, definition },
    })
    notifyDone(text.importedAsDraft)
    open(experimentId)
  }

  return {
    create: (definition: ExperimentDefinition) => void create(definition),
    read,
    isPending: save.isPending,
  }
}
