import type { DefinitionFinding } from '@atrium/contract'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { refusedPlaces } from '../feedback/findings.ts'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { rivalIn, useDraftCalls } from './draft-queries.ts'
import { adopted, isUnsaved, published, saved, type Work } from './work.ts'

interface PublishDeps {
  experimentId: string
  /** The newest one: if the draft was begun with another, a warning stands above it. */
  revision: number
  definition: unknown
  work: Work
  setWork: (change: (work: Work) => Work) => void
}

/** Makes the document the next revision, and ends the draft. */
export function usePublish({ experimentId, revision, definition, work, setWork }: PublishDeps) {
  const drafts = useDraftCalls(experimentId)
  const [refused, setRefused] = useState<{ document: unknown; findings: DefinitionFinding[] }>()
  const text = texts().builder
  const document = work.history.present

  /** What is on the screen becomes the draft first: only a stored draft is published. */
  async function storedVersion(): Promise<number> {
    if (!isUnsaved(work)) return work.version
    const { version, basedOn } = work
    const view = await drafts.save.mutateAsync({ version, basedOn, definition: document })
    setWork((now) => saved(now, document, view.version, view.draft?.savedAt ?? 0))
    return view.version
  }

  async function publish(): Promise<void> {
    try {
      const asked = { version: await storedVersion(), basedOn: revision }
      const { revision: now, version, warnings } = await drafts.publish.mutateAsync(asked)
      setWork((current) => published(current, document, version, now))
      notifyDone(text.published(now, warnings.length))
    } catch (caught) {
      const error = caught instanceof Error ? caught : new Error(String(caught))
      const rival = rivalIn(error)
      if (rival) setWork((now) => ({ ...now, rival }))
      setRefused({
        document,
        findings: refusedPlaces(error).map(({ path, message }) => ({ level: 'error', path, message })),
      })
      notifyFailed(text.notPublished, error)
    }
  }

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
    publish: () => void publish(),
    discard,
    isPublishing: drafts.save.isPending || drafts.publish.isPending,
    /** Why the platform refused this very document. */
    refused: refused !== undefined && refused.document === document ? refused.findings : [],
  }
}
