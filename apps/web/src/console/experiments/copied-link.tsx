import { Button, CopyButton, Group, TextInput } from '@mantine/core'
import { texts } from '../../text/console.ts'

export function CopiedLink({
  label,
  description,
  value,
}: {
  label: string
  description?: string
  value: string
}) {
  const text = texts().links
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        readOnly
        label={label}
        description={description}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
        style={{ flex: 1, minWidth: 0 }}
      />
      <CopyButton value={value} timeout={2_000}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            w={88}
            style={{ flexShrink: 0 }}
            onClick={copy}
            aria-label={copied ? text.copied : text.copyLabel(label)}
          >
            {copied ? text.copied : text.copy}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
