import { Modal, type ModalRootProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../../text/console.ts'

interface DialogProps extends Omit<ModalRootProps, 'opened' | 'title' | 'children'> {
  isOpen: boolean
  title: string
  /** False where a stray click would lose what is shown only once. */
  hasCloseButton?: boolean
  children: ReactNode
}

/** Every dialog of the console that has a title. */
export function Dialog({ isOpen, title, hasCloseButton = true, children, ...root }: DialogProps) {
  return (
    <Modal.Root opened={isOpen} {...root}>
      <Modal.Overlay />
      {/* Mantine points to the title only after it is on the page; until then this is the dialog’s name. */}
      <Modal.Content aria-label={title}>
        {/* A <header> would be a second banner landmark on the page. */}
        <Modal.Header role="presentation">
          <Modal.Title style={{ overflowWrap: 'anywhere' }}>{title}</Modal.Title>
          {hasCloseButton && <Modal.CloseButton aria-label={texts().feedback.close} />}
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
