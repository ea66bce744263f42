import { Anchor, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { PickerDialog } from './picker-dialog.tsx'

/** Something uploaded that can be chosen. */
export interface Choice {
  id: string
  name: string
  /** As it is shown in the dialog and in the form. */
  shown: ReactNode
}

export interface PickerTexts {
  title: string
  none: string
  nothingFound: string
  upload: string
  /** Where it is uploaded. */
  href: string
}

interface MediaPickerProps {
  isOpen: boolean
  choices: readonly Choice[]
  text: PickerTexts
  onClose: () => void
  onPick: (choice: Choice) => void
}

/** Of thousands, the first ones; a search finds the others. */
const maxShown = 100

/** Everything that was uploaded, the newest first, as the library has it. */
export function MediaPicker({ isOpen, choices, text, onClose, onPick }: MediaPickerProps) {
  return (
    <PickerDialog
      isOpen={isOpen}
      title={text.title}
      size="lg"
      hasSearch={choices.length > 0}
      onClose={onClose}
    >
      {(wanted) => {
        const found = choices.filter(({ name }) => name.toLowerCase().includes(wanted))
        return (
          <>
            <Stack component="ul" gap={4} className="builder-picks">
              {found.slice(0, maxShown).map((choice) => (
                <li key={choice.id}>
                  <UnstyledButton className="builder-pick" onClick={() => onPick(choice)}>
                    {choice.shown}
                  </UnstyledButton>
                </li>
              ))}
            </Stack>
            {found.length === 0 && (
              <Text size="sm">{choices.length === 0 ? text.none : text.nothingFound}</Text>
            )}
            <Anchor component={Link} href={text.href} size="sm" mt="sm" display="inline-block">
              {text.upload}
            </Anchor>
          </>
        )
      }}
    </PickerDialog>
  )
}

interface ProbedMediaProps {
  picture: ReactNode
  name: string
  facts: readonly string[]
}

/** Its picture, its name, and what else there is to know. */
export function ProbedMedia({ picture, name, facts }: ProbedMediaProps) {
  return (
    <Group gap="sm" wrap="nowrap">
      <span className="builder-video">{picture}</span>
      <span style={{ minWidth: 0 }}>
        <Text span display="block" size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text span display="block" size="xs" c="dimmed">
          {facts.join(' · ')}
        </Text>
      </span>
    </Group>
  )
}
