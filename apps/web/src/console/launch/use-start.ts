import type { DraftView, ExperimentStatus } from '@atrium/contract'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { useDraftCalls } from '../builder/draft-queries.ts'
import { useStatusChange } from '../experiments/experiment-queries.ts'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'

/** What recruiting could be started with. */
export interface Launched {
  experimentId: string
  status: ExperimentStatus
  revision: number
  isPublished: boolean
}

export interface StoredDraft {
  version: number
  definition: unknown
}

export type Start = ReturnType<typeof useStart>

/** Starts recruiting; where the draft is another than what is published, somebody chooses first. */
export function useStart({ experimentId, revision }: Launched, onPublished: () => void) {
  const { read, publish } = useDraftCalls(experimentId)
  const change = useStatusChange(experimentId)
  const [draft, setDraft] = useState<StoredDraft>()
  const [isAsking, setAsking] = useState(false)
  const text = texts().status

  const failed = (error: unknown) => notifyFailed(text.notChanged, error)

  async function startWith(choice: 'draft' | 'revision', version = 0): Promise<void> {
    try {
      const { status } = await (choice === 'draft'
        ? publish.mutateAsync({ version, basedOn: revision, start: true })
        : change.mutateAsync({ status: 'recruiting', revision }))
      if (choice === 'draft') onPublished()
      notifyDone(text.changed(text.names[status]))
    } catch (error) {
      failed(error)
    }
    setDraft(undefined)
  }

  async function ask(): Promise<void> {
    setAsking(true)
    try {
      const stored = draftIn(await read())
      if (stored === undefined) await startWith('revision')
      else setDraft(stored)
    } catch (error) {
      failed(error)
    }
    setAsking(false)
  }

  return {
    ask,
    /** What to choose about, while somebody does. */
    draft,
    withDraft: () => void startWith('draft', draft?.version),
    withRevision: () => void startWith('revision'),
    cancel: () => setDraft(undefined),
    isBusy: isAsking || publish.isPending || change.isPending,
  }
}

const draftIn = ({ version, draft }: DraftView): StoredDraft | undefined =>
  draft === null ? undefined : { version, definition: draft.definition }
