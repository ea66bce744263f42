import type { VideoRecord } from '@atrium/contract'
import { Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { texts } from '../../text/console.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { useNoteRefusal } from './administering.ts'
import { UseDialog } from './use-dialog.tsx'
import type { VideoAction } from './video-menu.tsx'
import { phaseOf } from './video-phase.ts'
import { useDeleteVideo, useRetryVideo } from './video-queries.ts'

// The player is larger than the rest of the page.
const PlayDialog = lazy(() => import('./play-dialog.tsx'))

interface VideoDialogProps {
  video: VideoRecord
  isOpen: boolean
  onClose: () => void
}

/** The dialog of the chosen action. */
export function VideoDialog({ action, ...props }: VideoDialogProps & { action: VideoAction }) {
  switch (action) {
    case 'play':
      return (
        <Suspense>
          <PlayDialog {...props} />
        </Suspense>
      )
    case 'use':
      return <UseDialog {...props} />
    case 'retry':
      return <RetryDialog {...props} />
    case 'delete':
      return props.video.uploadId === null ? <DeleteDialog {...props} /> : <DiscardDialog {...props} />
  }
}

function RetryDialog({ video, isOpen, onClose }: VideoDialogProps) {
  const text = texts().media
  const retry = useRetryVideo()
  const noteRefusal = useNoteRefusal()
  const confirm = () =>
    retry.mutate(video, {
      onSuccess: () => notifyDone(text.retried(video.filename)),
      onError: (error) => {
        noteRefusal(error)
        notifyFailed(text.notRetried, error)
      },
      onSettled: onClose,
    })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text.retry.title}
      confirmLabel={text.actions.retry}
      isBusy={retry.isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        {text.retry[phaseOf(video).kind === 'ready' ? 'unplayable' : 'again'](video.filename)}
      </Text>
    </ConfirmDialog>
  )
}

function DeleteDialog({ video, isOpen, onClose }: VideoDialogProps) {
  const text = texts().media
  const { confirm, isBusy } = useDeletion(video, text.delete, onClose)
  const { filename, size, durationMs, levels } = video
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text.delete.title}
      confirmLabel={text.actions.delete}
      isDangerous
      isBusy={isBusy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        {text.delete.lost({ filename, size, durationMs, levels: levels.length })}
      </Text>
      <Text>{text.delete.forGood}</Text>
    </ConfirmDialog>
  )
}

function DiscardDialog({ video, isOpen, onClose }: VideoDialogProps) {
  const text = texts().media
  const { confirm, isBusy } = useDeletion(video, text.discard, onClose)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text.discard.title}
      confirmLabel={text.actions.discard}
      isDangerous
      isBusy={isBusy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>{text.discard.lost(video.filename)}</Text>
    </ConfirmDialog>
  )
}

interface DeletionTexts {
  done: (filename: string) => string
  failed: string
}

function useDeletion(video: VideoRecord, text: DeletionTexts, onClose: () => void) {
  const deletion = useDeleteVideo()
  const confirm = () =>
    deletion.mutate(video, {
      onSuccess: () => notifyDone(text.done(video.filename)),
      onError: (error) => notifyFailed(text.failed, error),
      onSettled: onClose,
    })
  return { confirm, isBusy: deletion.isPending }
}
