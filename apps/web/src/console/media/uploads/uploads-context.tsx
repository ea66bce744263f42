import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import { texts } from '../../../text/console.ts'
import { notifyDone, notifyFailed } from '../../feedback/notify.ts'
import { useApi } from '../../session/session.ts'
import { filesKey } from '../files/file-queries.ts'
import { videosKey } from '../video-queries.ts'
import { beginUploadWith, uploadFailureMessage } from './begin-upload.ts'
import { createUploadQueue, type QueuedUpload, type UploadQueue } from './upload-queue.ts'

const UploadsContext = createContext<UploadQueue | undefined>(undefined)

/** Uploads go on while the person visits other pages of the console. */
export function UploadsProvider({ children }: { children: ReactNode }) {
  const api = useApi()
  const queryClient = useQueryClient()
  const queue = useMemo(() => {
    const readAgain = () =>
      Promise.all(
        [videosKey, filesKey].map((queryKey) => queryClient.invalidateQueries({ queryKey, exact: true })),
      )
    return createUploadQueue({
      begin: beginUploadWith(api),
      nowMs: () => performance.now(),
      messageOf: uploadFailureMessage,
      async onStored(stored) {
        const { done, doneTogether } = texts().mediaUploads
        const count = stored instanceof File ? 1 : stored.files.length
        notifyDone(count === 1 ? done(stored.name) : doneTogether(count))
        await readAgain()
      },
      onRecordsChanged: readAgain,
      onCancelFailed: ({ name }, error) => notifyFailed(texts().mediaUploads.notCancelled(name), error),
    })
  }, [api, queryClient])
  useEffect(() => () => queue.close(), [queue])
  return (
    <UploadsContext value={queue}>
      <UnloadGuard />
      {children}
    </UploadsContext>
  )
}

export function useUploadQueue(): UploadQueue {
  const queue = useContext(UploadsContext)
  if (!queue) throw new Error('useUploadQueue belongs inside UploadsProvider.')
  return queue
}

export function useQueuedUploads(): readonly QueuedUpload[] {
  const queue = useUploadQueue()
  return useSyncExternalStore(queue.subscribe, queue.entries)
}

const isUnderWay = ({ state }: QueuedUpload): boolean => state.kind === 'sending' || state.kind === 'queued'

/** The share of all files together that has been sent; undefined while nothing is under way. */
export function useUploadedShare(): number | undefined {
  const underWay = useQueuedUploads().filter(isUnderWay)
  if (underWay.length === 0) return undefined
  const total = (of: (upload: QueuedUpload) => number) =>
    underWay.reduce((sum, upload) => sum + of(upload), 0)
  return total(({ sentBytes }) => sentBytes) / total(({ file }) => file.size)
}

/** Closing the tab ends an upload, so the browser asks first. */
function UnloadGuard() {
  const isGuarding = useQueuedUploads().some(isUnderWay)
  useEffect(() => {
    if (!isGuarding) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isGuarding])
  return null
}
