import type { RoomAtMoment } from '@atrium/contract'
import { Badge, Code, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { SeatBadge } from '../rooms/room-badges.tsx'

/** Everything that a researcher may see of the room at one moment. */
export function FromAbove({ room: { room, seats, messages } }: { room: RoomAtMoment }) {
  const text = texts().replay
  return (
    <Stack gap="md">
      <section aria-labelledby="replay-seats">
        <Title order={2} size="h4" id="replay-seats" mb="xs">
          {text.seats}
        </Title>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {seats.map((seat) => (
            <SeatCard key={seat.participantId} seat={seat} />
          ))}
        </SimpleGrid>
      </section>
      <section aria-labelledby="replay-chat">
        <Title order={2} size="h4" id="replay-chat" mb="xs">
          {text.chat}
        </Title>
        {messages.length === 0 && <Text c="dimmed">{text.noMessages}</Text>}
        <Stack gap={6}>
          {messages.map(({ messageId, from, text: words, to }) => (
            <Text key={messageId} size="sm" style={{ overflowWrap: 'anywhere' }}>
              <b>{from}</b>
              {to !== null && <Text span c="dimmed">{` ${text.to(to)}`}</Text>}: {words}
            </Text>
          ))}
        </Stack>
      </section>
      {Object.keys(room.variables).length > 0 && (
        <section aria-labelledby="replay-variables">
          <Title order={2} size="h4" id="replay-variables" mb="xs">
            {text.variables}
          </Title>
          <Code block tabIndex={0} aria-label={text.roomVariables}>
            {JSON.stringify(room.variables, null, 2)}
          </Code>
        </section>
      )}
    </Stack>
  )
}

function SeatCard({ seat }: { seat: RoomAtMoment['seats'][number] }) {
  const { replay: text, seats } = texts()
  const isConnected = seat.presence === 'connected'
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text fw={600}>{seat.alias}</Text>
        {seat.status === 'active' ? (
          <Badge variant="dot" color={isConnected ? 'teal' : 'orange'} tt="none" miw="max-content">
            {isConnected ? seats.connected : seats.away}
          </Badge>
        ) : (
          <SeatBadge status={seat.status} />
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {[
          seat.role,
          ...(seat.agent ? [text.agent] : []),
          ...(seat.ready ? [text.ready] : []),
          ...(seat.outcome === null ? [] : [seat.outcome]),
        ].join(' · ')}
      </Text>
      {seat.answers.length === 0 && seat.stateId !== null && (
        <Text size="sm" c="dimmed">
          {text.noAnswers}
        </Text>
      )}
      {seat.answers.map(({ componentId, value, length }) => (
        <Text key={componentId} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {componentId}: <b>{length === undefined ? shown(value) : text.tooLong(length)}</b>
        </Text>
      ))}
      {Object.keys(seat.variables).length > 0 && (
        <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {Object.entries(seat.variables)
            .map(([name, value]) => `${name} = ${shown(value)}`)
            .join(', ')}
        </Text>
      )}
    </Paper>
  )
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
