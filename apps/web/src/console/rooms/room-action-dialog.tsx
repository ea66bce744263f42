import { Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { type ActionForm, formOf, type RoomAction } from './room-actions.ts'
import { useRoomAction } from './room-queries.ts'

interface RoomActionDialogProps {
  roomId: string
  action: RoomAction
  isOpen: boolean
  onClose: () => void
}

/** Asks for confirmation and for what the action needs, and performs it. */
export function RoomActionDialog({ roomId, action, isOpen, onClose }: RoomActionDialogProps) {
  const [text, setText] = useState('')
  const perform = useRoomAction(roomId)
  const form = formOf(action)
  const confirm = () =>
    perform.mutate(
      { action, text },
      {
        onSuccess: () => {
          notifyDone(form.done)
          onClose()
        },
        onError: (error) => notifyFailed(texts().roomActions.failed, error),
      },
    )
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={form.title}
      confirmLabel={form.confirmLabel}
      isDangerous={form.isDangerous}
      isBusy={perform.isPending}
      isReady={!form.field?.isRequired || text.trim() !== ''}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text>{form.explanation}</Text>
      {form.field && <ActionField field={form.field} text={text} onChange={setText} />}
    </ConfirmDialog>
  )
}

interface ActionFieldProps {
  field: NonNullable<ActionForm['field']>
  text: string
  onChange: (text: string) => void
}

function ActionField({ field, text, onChange }: ActionFieldProps) {
  const shared = {
    label: field.label,
    value: text,
    maxLength: field.maxCharacters,
    required: field.isRequired,
    'data-autofocus': true,
    ...(field.description !== '' && { description: field.description }),
  }
  return field.isLong ? (
    <Textarea
      {...shared}
      autosize
      minRows={3}
      maxRows={10}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  ) : (
    <TextInput {...shared} onChange={(event) => onChange(event.currentTarget.value)} />
  )
}
