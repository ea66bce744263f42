import { Modal, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { texts } from '../../../text/console.ts'

interface PickerDialogProps {
  isOpen: boolean
  title: string
  size: 'lg' | 'xl'
  /** Not worth it where there is nothing to choose from. */
  hasSearch: boolean
  onClose: () => void
  /** What is offered to somebody who searches for this, in small letters. */
  children: (wanted: string) => ReactNode
}

/** A dialog in which one of many things is chosen. */
export function PickerDialog({ isOpen, title, size, hasSearch, onClose, children }: PickerDialogProps) {
  const [search, setSearch] = useState('')
  return (
    <Modal.Root opened={isOpen} onClose={onClose} size={size} centered>
      <Modal.Overlay />
      <Modal.Content>
        {/* A <header> would be a second banner landmark on the page. */}
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={texts().feedback.close} />
        </Modal.Header>
        <Modal.Body>
          {hasSearch && (
            <TextInput
              type="search"
              label={texts().builder.components.search}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              data-autofocus
              mb="sm"
            />
          )}
          {children(search.trim().toLowerCase())}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
