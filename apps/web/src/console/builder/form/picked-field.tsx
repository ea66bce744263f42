import { Button, Group, Input, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { texts } from '../../../text/console.ts'
import { type FieldProps, useFormTools, useInputProps } from './form-tools.tsx'
import { type Choice, MediaPicker, type PickerTexts } from './media-picker.tsx'
import { RemoveButton } from './object-field.tsx'

interface PickedFieldProps {
  field: FieldProps
  /** Undefined while they are being read. */
  choices: readonly Choice[] | undefined
  text: PickerTexts & { choose: string; chooseOther: string; unknown: (id: string) => string }
  /** Settings beside this one that would be shown instead of what was chosen. */
  rivals: readonly string[]
}

/** The id of something uploaded, shown by its name and a picture: nobody knows ids by heart. */
export function PickedField({ field, choices, text, rivals }: PickedFieldProps) {
  const { at, name, value } = field
  const { set, remove, isReadOnly, settle } = useFormTools()
  const { label, description, error, withAsterisk } = useInputProps(field)
  const [isPicking, setPicking] = useState(false)
  const id = typeof value === 'string' ? value : undefined
  const chosen = choices?.find((choice) => choice.id === id)
  const choose = (next: string | undefined) => {
    set(at, next)
    settle()
    if (next !== undefined) for (const rival of rivals) remove(at.slice(0, at.length - name.length) + rival)
    setPicking(false)
  }
  return (
    <Input.Wrapper
      data-at={at}
      label={label}
      description={description}
      error={error}
      withAsterisk={withAsterisk}
      labelElement="div"
      size="sm"
    >
      <Stack gap={6} mt={4} align="flex-start">
        {chosen?.shown ?? <UnknownChoice id={id} isPending={choices === undefined} say={text.unknown} />}
        {!isReadOnly && (
          <Group gap="xs">
            <Button size="compact-sm" variant="light" onClick={() => setPicking(true)}>
              {id === undefined ? text.choose : text.chooseOther}
            </Button>
            {id !== undefined && <RemoveButton what={label} onClick={() => choose(undefined)} />}
          </Group>
        )}
      </Stack>
      <MediaPicker
        isOpen={isPicking}
        choices={choices ?? []}
        text={text}
        onClose={() => setPicking(false)}
        onPick={({ id: picked }) => choose(picked)}
      />
    </Input.Wrapper>
  )
}

interface UnknownChoiceProps {
  id: string | undefined
  isPending: boolean
  say: (id: string) => ReactNode
}

const UnknownChoice = ({ id, isPending, say }: UnknownChoiceProps) =>
  id !== undefined && (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {isPending ? texts().feedback.loading : say(id)}
    </Text>
  )
