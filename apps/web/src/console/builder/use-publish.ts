import type { DefinitionFinding } from '@atrium/contract'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { asFindings } from '../definition/definition-text.ts'
import { refusedPlaces } from '../definition/refused-places.ts'
import { useRevise } from '../experiments/experiment-queries.ts'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { asDefinition, useDraftCalls } from './draft-queries.ts'
import { adopted, published, type Work } from './work.ts'

interface Publishing {
  experimentId: string
  /** The newest one: if the draft was begun with another, a warning stands above it. */
  revision: number
  definition: unknown
  work: Work
  setWork: (change: (work: Work) => Work) => void
}

/** Makes the document the next revision, and ends the draft. */
export function usePublish({ experimentId, revision, definition, work, setWork }: Publishing) {
  const revise = useRevise(experimentId)
  const drafts = useDraftCalls(experimentId)
  const [refused, setRefused] = useState<{ document: unknown; findings: DefinitionFinding[] }>()
  const text = texts().builder
  const document = work.history.present

  /** The draft has served its purpose. One that somebody has saved since stays, and says so. */
  const endDraft = async (): Promise<number> =>
    (await drafts.discard(work.version).catch(() => undefined))?.version ?? work.version

  const publish = () =>
    revise.mutate(
      { definition: asDefinition(document), basedOn: revision },
      {
        onSuccess: async ({ revision: now, warnings }) => {
          const version = await endDraft()
          setWork((current) => published(current, document, version, now))
          notifyDone(text.published(now, warnings.length))
        },
        onError: (error) => {
          setRefused({ document, findings: asFindings('error', refusedPlaces(error)) })
          notifyFailed(text.notPublished, error)
        },
      },
    )

  async function discard(): Promise<void> {
    try {
      const { version } = await drafts.discard(work.version)
      setWork((now) => adopted(now, definition, { version, basedOn: revision, savedAt: undefined }))
      notifyDone(text.discarded)
    } catch (error) {
      notifyFailed(text.notDiscarded, error instanceof Error ? error : new Error(String(error)))
    }
  }

  return {
    publish,
    discard,
    isPublishing: revise.isPending,
    /** Why the platform refused this very document. */
    refused: refused !== undefined && refused.document === document ? refused.findings : [],
  }
}
