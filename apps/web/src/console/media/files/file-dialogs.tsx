import type { MediaRecord } from '@atrium/contract'
import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { ConfirmDialog } from '../../feedback/confirm-dialog.tsx'
import { notifyDone, notifyFailed } from '../../feedback/notify.ts'
import { useNoteRefusal } from '../administering.ts'
import type { FileAction } from './file-menu.tsx'
import { useDeleteFile, useRenameFile } from './file-queries.ts'

interface FileDialogProps {
  file: MediaRecord
  isOpen: boolean
  onClose: () => void
}

/** The dialog of the chosen action. */
export const FileDialog = ({ action, ...props }: FileDialogProps & { action: FileAction }) =>
  action === 'rename' ? <RenameDialog {...props} /> : <DeleteDialog {...props} />

function RenameDialog({ file, isOpen, onClose }: FileDialogProps) {
  const { rename: text } = texts().mediaFiles
  const [name, setName] = useState(file.name)
  const rename = useRenameFile()
  const noteRefusal = useNoteRefusal()
  const confirm = () => {
    if (name === file.name) return onClose()
    rename.mutate(
      { mediaId: file.mediaId, name },
      {
        onSuccess: (renamed) => {
          notifyDone(text.done(file.name, renamed.name))
          onClose()
        },
        onError: noteRefusal,
      },
    )
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text.title}
      confirmLabel={text.action}
      isBusy={rename.isPending}
      isReady={name.trim() !== ''}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <TextInput
        label={text.label}
        description={text.hint}
        value={name}
        maxLength={255}
        error={rename.error?.message}
        onChange={(event) => {
          setName(event.currentTarget.value)
          rename.reset()
        }}
        data-autofocus
      />
    </ConfirmDialog>
  )
}

function DeleteDialog({ file, isOpen, onClose }: FileDialogProps) {
  const { delete: text } = texts().mediaFiles
  const deletion = useDeleteFile()
  const confirm = () =>
    deletion.mutate(file, {
      onSuccess: () => notifyDone(text.done(file.name)),
      onError: (error) => notifyFailed(text.failed, error),
      onSettled: onClose,
    })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text.title[file.kind]}
      confirmLabel={texts().media.actions.delete}
      isDangerous
      isBusy={deletion.isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>{text.lost(file.name, file.bytes)}</Text>
    </ConfirmDialog>
  )
}
