import type { ExperimentStatus } from '@atrium/contract'
import { Group, Stack, Text, Title } from '@mantine/core'
import { encode } from 'uqr'
import { texts } from '../../text/console.ts'
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

/** For a poster, or a phone in the laboratory. Black on white in the dark as well: many readers want it so. */
function QrCode({ value, label }: { value: string; label: string }) {
  const { data, size } = encode(value, { border: 2, ecc: 'M' })
  const squares = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={176}
      height={176}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={squares} fill="#000" />
    </svg>
  )
}
