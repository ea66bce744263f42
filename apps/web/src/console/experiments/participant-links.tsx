import type { ExperimentStatus } from '@atrium/contract'
import { Button, CopyButton, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { joinLink, prolificLink } from './join-links.ts'

interface ParticipantLinksProps {
  experimentId: string
  status: ExperimentStatus
}

export function ParticipantLinks({ experimentId, status }: ParticipantLinksProps) {
  return (
    <section aria-labelledby="links">
      <Title order={2} size="h4" id="links" mb="sm">
        Links for participants
      </Title>
      <Stack maw={760}>
        {status !== 'recruiting' && (
          <Text size="sm" c="dimmed">
            Only while the experiment is recruiting can people join with them.
          </Text>
        )}
        <CopiedLink label="Link" value={joinLink(location.origin, experimentId)} />
        <CopiedLink
          label="For Prolific"
          description="Put it into the study as it is: Prolific fills in what stands in braces. Nobody needs an account, unless the definition says so."
          value={prolificLink(location.origin, experimentId)}
        />
      </Stack>
    </section>
  )
}

function CopiedLink({ label, description, value }: { label: string; description?: string; value: string }) {
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
            aria-label={copied ? 'Copied' : `Copy: ${label}`}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
