import { mayWith } from '@atrium/contract'
import { useEffect } from 'react'
import { Failure } from '../feedback/failure.tsx'
import { PageSkeleton } from '../feedback/loaded.tsx'
import { Builder } from './builder.tsx'
import { personName, useStoredDraft } from './draft-queries.ts'
import { adopted, type BuiltExperiment, beginWork, isUnsaved, type Work } from './work.ts'
import './builder.css'

interface BuilderTabProps {
  experiment: BuiltExperiment
  work: Work | undefined
  setWork: (change: (work: Work | undefined) => Work | undefined) => void
}

/** Opens the draft, or the newest revision where nobody has begun one. */
export default function BuilderTab({ experiment, work, setWork }: BuilderTabProps) {
  const { experimentId, revision, definition, access, status } = experiment
  const isReadOnly = status === 'archived' || !mayWith(access, 'edit')
  const stored = useStoredDraft(experimentId, !isReadOnly && work === undefined)
  useEffect(() => {
    if (work !== undefined || (!isReadOnly && !stored.data)) return
    const { version, draft } = stored.data ?? { version: 0, draft: null }
    setWork(
      (now) =>
        now ??
        beginWork(draft ? draft.definition : definition, {
          version,
          basedOn: draft?.basedOn ?? revision,
          savedAt: draft?.savedAt,
          colleague:
            draft && !draft.isYours ? { name: personName(draft.savedBy), at: draft.savedAt } : undefined,
        }),
    )
  }, [work, stored.data, isReadOnly, definition, revision, setWork])
  // Somebody else has published, and there is nothing here that it would hide.
  const isOutdated =
    work !== undefined && work.savedAt === undefined && !isUnsaved(work) && work.basedOn < revision
  useEffect(() => {
    if (isOutdated)
      setWork((now) =>
        // What somebody has typed since is theirs to keep.
        now && !isUnsaved(now)
          ? adopted(now, definition, { version: now.version, basedOn: revision, savedAt: undefined })
          : now,
      )
  }, [isOutdated, definition, revision, setWork])
  if (stored.error && !work) return <Failure error={stored.error} onRetry={stored.refetch} />
  if (!work) return <PageSkeleton />
  return (
    <Builder
      experiment={experiment}
      work={work}
      setWork={(change) => setWork((now) => now && change(now))}
      isReadOnly={isReadOnly}
    />
  )
}
