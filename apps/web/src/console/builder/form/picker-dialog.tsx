import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { texts } from '../../../text/console.ts'
import { Dialog } from '../../feedback/dialog.tsx'

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
    <Dialog isOpen={isOpen} title={title} onClose={onClose} size={size} centered>
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
    </Dialog>
  )
}
