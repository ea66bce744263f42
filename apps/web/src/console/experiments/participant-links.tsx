import type { ExperimentStatus } from '@atrium/contract'
import { Button, CopyButton, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { joinLink, prolificLink } from './join-links.ts'

interface ParticipantLinksProps {
  experimentId: string
  status: ExperimentStatus
}

export function ParticipantLinks({ experimentId, status }: ParticipantLinksProps) {
  const text = texts().links
  return (
    <section aria-labelledby="links">
      <Title order={2} size="h4" id="links" mb="sm">
        {text.title}
      </Title>
      <Stack maw={760}>
        {status !== 'recruiting' && (
          <Text size="sm" c="dimmed">
            {text.onlyWhileRecruiting}
          </Text>
        )}
        <CopiedLink label={text.link} value={joinLink(location.origin, experimentId)} />
        <CopiedLink
          label={text.prolific}
          description={text.prolificHint}
          value={prolificLink(location.origin, experimentId)}
        />
      </Stack>
    </section>
  )
}

function CopiedLink({ label, description, value }: { label: string; description?: string; value: string }) {
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
