import { Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { typesFor } from './core/components.ts'
import type { Path } from './core/document.ts'
import { withCode } from './form/with-code.tsx'

interface ComponentPickerProps {
  isOpen: boolean
  list: Path
  onClose: () => void
  onPick: (type: string) => void
}

/** Every type of the catalogue that can stand there, with what it is for. */
export function ComponentPicker({ isOpen, list, onClose, onPick }: ComponentPickerProps) {
  const [search, setSearch] = useState('')
  const text = texts().builder.components
  const wanted = search.trim().toLowerCase()
  const found = typesFor(list).filter(({ type, title, description }) =>
    [type, title, description].some((words) => words.toLowerCase().includes(wanted)),
  )
  return (
    <Modal.Root opened={isOpen} onClose={onClose} size="lg" centered>
      <Modal.Overlay />
      <Modal.Content>
        {/* A <header> would be a second banner landmark on the page. */}
        <Modal.Header role="presentation">
          <Modal.Title>{text.pick}</Modal.Title>
          <Modal.CloseButton aria-label={texts().feedback.close} />
        </Modal.Header>
        <Modal.Body>
          <TextInput
            type="search"
            label={text.search}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            data-autofocus
            mb="sm"
          />
          <Stack component="ul" gap={4} p={0} m={0} style={{ listStyle: 'none' }}>
            {found.map(({ type, title, description }) => (
              <li key={type}>
                <UnstyledButton className="builder-pick" onClick={() => onPick(type)}>
                  <Text size="sm" fw={600}>
                    {title}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {withCode(description)}
                  </Text>
                </UnstyledButton>
              </li>
            ))}
          </Stack>
          {found.length === 0 && <Text size="sm">{text.nothingFound}</Text>}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
