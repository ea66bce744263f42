import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../../text/console.ts'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  isOpen: boolean
  title: string
  confirmLabel: string
  cancelLabel?: string
  isDangerous?: boolean
  isBusy?: boolean
  isReady?: boolean
  /** The dialog says itself what is wrong with its fields. */
  isNoValidate?: boolean
  onConfirm: () => void
  onCancel: () => void
  /** Something else that can be chosen. */
  otherChoice?: { label: string; onChoose: () => void } | undefined
  children: ReactNode
}

export function ConfirmDialog({
  isOpen,
  title,
  confirmLabel,
  cancelLabel = texts().feedback.cancel,
  isDangerous = false,
  isBusy = false,
  isReady = true,
  isNoValidate = false,
  onConfirm,
  onCancel,
  otherChoice,
  children,
}: ConfirmDialogProps) {
  return (
    <Dialog isOpen={isOpen} title={title} onClose={onCancel} centered>
      <form
        noValidate={isNoValidate}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isBusy) onConfirm()
        }}
      >
        <Stack>
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onCancel}>
              {cancelLabel}
            </Button>
            {otherChoice && (
              <Button variant="default" disabled={isBusy} onClick={otherChoice.onChoose}>
                {otherChoice.label}
              </Button>
            )}
            <Button type="submit" disabled={!isReady} loading={isBusy} {...(isDangerous && { color: 'red' })}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
