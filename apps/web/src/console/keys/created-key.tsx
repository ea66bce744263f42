import { Alert, Button, Code, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { Dialog } from '../feedback/dialog.tsx'

interface CreatedKeyProps {
  apiKey: string
  example: string
  isOpen: boolean
  onClose: () => void
}

/** The only time that a key is shown. It closes by its button alone: a stray click must not lose the key. */
export function CreatedKey({ apiKey, example, isOpen, onClose }: CreatedKeyProps) {
  const text = texts().newKey
  return (
    <Dialog
      isOpen={isOpen}
      title={text.title}
      onClose={onClose}
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      hasCloseButton={false}
    >
      <Stack>
        <Alert color="yellow">{text.once}</Alert>
        <Group align="flex-end" gap="xs">
          <TextInput
            readOnly
            data-autofocus
            label={text.key}
            value={apiKey}
            autoComplete="off"
            spellCheck={false}
            onFocus={(event) => event.currentTarget.select()}
            style={{ flex: '1 1 220px', minWidth: 0 }}
          />
          <Copy value={apiKey} label={text.copyKey} />
        </Group>
        <Text size="sm">{text.exampleHint}</Text>
        <Code block className="key-example" tabIndex={0} role="region" aria-label={text.example}>
          {example}
        </Code>
        <Group justify="space-between">
          <Copy value={example} label={text.copyExample} />
          <Button onClick={onClose}>{text.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function Copy({ value, label }: { value: string; label: string }) {
  const text = texts().newKey
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy} aria-label={copied ? text.copied : label}>
          {copied ? text.copied : text.copy}
        </Button>
      )}
    </CopyButton>
  )
}
