import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../../text/console.ts'

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
    <Modal.Root opened={isOpen} onClose={onCancel} centered>
      <Modal.Overlay />
      <Modal.Content>
        {/* A <header> would be a second banner landmark on the page. */}
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={texts().feedback.close} />
        </Modal.Header>
        <Modal.Body>
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
                <Button
                  type="submit"
                  disabled={!isReady}
                  loading={isBusy}
                  {...(isDangerous && { color: 'red' })}
                >
                  {confirmLabel}
                </Button>
              </Group>
            </Stack>
          </form>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
