import type { StudyDraft, WrittenDefinition } from '@atrium/contract'
import { useLocation } from 'wouter'
import { texts } from '../../text/console.ts'
import { readJson } from '../definition/json-places.ts'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { useBeginStudy } from './experiment-queries.ts'

type Drafted = Extract<StudyDraft, { kind: 'drafted' }>

export type NewStudy = ReturnType<typeof useNewStudy>

/** Makes a study from a template, a file or a draft, and opens it in the builder. Nothing of it is published. */
export function useNewStudy() {
  const text = texts().newExperiment
  const begin = useBeginStudy()
  const [, navigate] = useLocation()

  async function open(definition: unknown, done?: (isValid: boolean) => string | undefined): Promise<void> {
    const { experimentId, isValid } = await begin.mutateAsync(definition)
    const message = done?.(isValid)
    if (message !== undefined) notifyDone(message)
    navigate(`/experiments/${experimentId}/definition`)
  }

  const failed = (error: unknown) =>
    notifyFailed(text.notSaved, error instanceof Error ? error : new Error(String(error)))

  /** What is not a valid definition yet can be fixed in the builder. */
  async function read(file: File): Promise<void> {
    const found = readJson(await file.text())
    if (!found.ok) return failed(new Error(texts().builder.notJson))
    await open(found.value, (isValid) => (isValid ? undefined : text.importedAsDraft)).catch(failed)
  }

  /** What a model has written is read before anybody gets it. */
  const openDraft = ({ definition, isValid, leftOut }: Drafted): Promise<void> =>
    open(definition, () => texts().describeStudy.done(isValid, leftOut))

  return {
    create: (definition: WrittenDefinition) => void open(definition).catch(failed),
    read,
    openDraft,
    isPending: begin.isPending,
  }
}
