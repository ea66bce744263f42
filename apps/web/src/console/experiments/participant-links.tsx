import type { ExperimentStatus } from '@atrium/contract'
import { Group, Stack, Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { QrCode } from '../launch/qr-code.tsx'
import { CopiedLink } from './copied-link.tsx'
import { joinLink, prolificLink } from './join-links.ts'

interface ParticipantLinksProps {
  experimentId: string
  status: ExperimentStatus
}

export function ParticipantLinks({ experimentId, status }: ParticipantLinksProps) {
  const text = texts().links
  const link = joinLink(location.origin, experimentId)
  return (
    <section aria-labelledby="links">
      <Title order={2} size="h4" id="links" mb="sm">
        {text.title}
      </Title>
      <Group align="flex-start" gap="lg" maw={960}>
        <Stack style={{ flex: '1 1 300px', minWidth: 0 }}>
          {status !== 'recruiting' && (
            <Text size="sm" c="dimmed">
              {text.onlyWhileRecruiting}
            </Text>
          )}
          <CopiedLink label={text.link} value={link} />
          <CopiedLink
            label={text.prolific}
            description={text.prolificHint}
            value={prolificLink(location.origin, experimentId)}
          />
        </Stack>
        <QrCode value={link} label={texts().launch.qrCode} />
      </Group>
    </section>
  )
}
