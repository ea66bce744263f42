import { type StudyDraft, studyDraftRoutes } from '@atrium/contract'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useApi } from '../session/session.ts'

interface AskedDraft {
  credentialId: string
  description: string
}

/** Has a model draft a study, which may take minutes; `cancel` ends it on the server as well, and so does leaving the page. */
export function useStudyDraft(onDrafted: (draft: StudyDraft & { kind: 'drafted' }) => Promise<void>) {
  const api = useApi()
  const running = useRef<AbortController>(undefined)
  const draft = useMutation({
    mutationFn: async ({ credentialId, description }: AskedDraft) => {
      running.current = new AbortController()
      const { signal } = running.current
      const found = await api.call(studyDraftRoutes.create, {
        params: { credentialId },
        body: { description },
        signal,
      })
      if (found.kind === 'failed') throw new Error(found.message)
      // It arrived while it was being cancelled.
      if (!signal.aborted) await onDrafted(found)
    },
  })
  useEffect(() => () => running.current?.abort(), [])
  return {
    start: (asked: AskedDraft) => draft.mutate(asked),
    cancel: () => running.current?.abort(),
    startedAt: draft.isPending ? draft.submittedAt : undefined,
    error: running.current?.signal.aborted ? null : draft.error,
  }
}
