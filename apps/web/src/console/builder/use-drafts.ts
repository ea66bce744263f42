import { useEffect, useRef } from 'react'
import { texts } from '../../text/console.ts'
import { notifyDone } from '../feedback/notify.ts'
import { personName, rivalIn, useDraftCalls, useNewerDraft } from './draft-queries.ts'
import { adopted, isUnsaved, type Rival, saved, type Work } from './work.ts'

/** Long enough to send a sentence at once, short enough that nobody loses one. */
const pauseMs = 1_200
const againMs = 5_000

interface Drafting {
  experimentId: string
  work: Work
  setWork: (change: (work: Work) => Work) => void
  /** Nothing is stored meanwhile. */
  isPaused: boolean
}

/** Stores the document as a draft a moment after each change, and follows what others store. */
export function useDrafts({ experimentId, work, setWork, isPaused }: Drafting) {
  const { save, read } = useDraftCalls(experimentId)
  const { present } = work.history
  const isDue = !isPaused && isUnsaved(work) && work.rival === undefined && !save.isPending
  const keep = () => {
    const { version, basedOn } = work
    // Also when the builder has been left meanwhile, which callbacks of `mutate` do not hear of.
    save.mutateAsync({ version, basedOn, definition: present }).then(
      (view) => setWork((now) => saved(now, present, view.version, view.draft?.savedAt ?? 0)),
      (error: Error) => {
        const rival = rivalIn(error)
        if (rival) setWork((now) => ({ ...now, rival }))
      },
    )
  }
  const latest = useRef({ keep, isDue })
  useEffect(() => {
    latest.current = { keep, isDue }
  })
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(() => latest.current.keep(), save.isError ? againMs : pauseMs)
    return () => clearTimeout(timer)
  }, [isDue, present, save.isError, save.failureCount])
  useEffect(
    () => () => {
      if (latest.current.isDue) latest.current.keep()
    },
    [],
  )
  useOthers({ experimentId, work, setWork, isBusy: isPaused || save.isPending })

  async function showTheirs(): Promise<void> {
    const { version, draft } = await read()
    if (draft)
      setWork((now) =>
        adopted(now, draft.definition, { version, basedOn: draft.basedOn, savedAt: draft.savedAt }),
      )
  }
  return { isSaving: save.isPending, hasFailed: save.isError && !rivalIn(save.error), showTheirs }
}

interface Following extends Omit<Drafting, 'isPaused'> {
  isBusy: boolean
}

/** What somebody else has saved is shown at once, unless there are changes here that it would hide. */
function useOthers({ experimentId, work, setWork, isBusy }: Following): void {
  const { read } = useDraftCalls(experimentId)
  const newer = useNewerDraft(experimentId, isBusy ? undefined : work.version)
  const hasOwn = isUnsaved(work)
  const isNewer = newer !== undefined && newer.version > work.version && newer.draft !== null
  const reading = useRef(false)
  useEffect(() => {
    if (!isNewer || !newer?.draft || isBusy || reading.current) return
    const { savedBy, savedAt, isYours } = newer.draft
    if (hasOwn) {
      const rival: Rival = { version: newer.version, savedBy, savedAt, isYours }
      setWork((now) => (now.rival || now.version >= rival.version ? now : { ...now, rival }))
      return
    }
    reading.current = true
    void read()
      .then(({ version, draft }) => {
        if (!draft) return
        const name = draft.isYours ? texts().builder.conflict.you : personName(draft.savedBy)
        setWork((now) =>
          isUnsaved(now) || now.version >= version
            ? now
            : {
                ...adopted(now, draft.definition, {
                  version,
                  basedOn: draft.basedOn,
                  savedAt: draft.savedAt,
                }),
                colleague: { name, at: draft.savedAt },
              },
        )
        notifyDone(texts().builder.conflict.adopted(name))
      })
      .finally(() => {
        reading.current = false
      })
  }, [isNewer, newer, hasOwn, isBusy, read, setWork])
}
