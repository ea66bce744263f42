import type { PilotSummary } from '@atrium/contract'
import { Anchor, Badge, Button, Collapse, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from 'wouter'
import { texts } from '../../../text/console.ts'

interface PilotCardProps {
  experimentId: string
  pilot: PilotSummary
}

/** How far a pilot is, and how its rooms ended. */
export function PilotCard({ experimentId, pilot }: PilotCardProps) {
  const { pilots: text, format } = texts()
  const { createdAt, revision, agentsPerRoom, rooms, progress } = pilot
  const [isOpen, { toggle }] = useDisclosure()
  const date = format.dateTime(createdAt)
  const isOver = progress.ended === rooms.length
  return (
    <Paper withBorder p="sm" component="article" aria-label={text.pilotOf(date)}>
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text fw={600} size="sm">
            {date}
          </Text>
          <Text size="sm" c="dimmed">
            {[text.facts(revision, rooms.length, agentsPerRoom), ...budgetInWords(pilot)].join(' · ')}
          </Text>
        </Group>
        <Progress
          value={rooms.length === 0 ? 100 : (progress.ended / rooms.length) * 100}
          color={isOver ? 'teal' : 'accent'}
          animated={!isOver}
          aria-label={text.progressOf(date)}
        />
        <Group justify="space-between" gap="xs">
          <Text size="sm" className="figure" role="status">
            {[
              text.ended(progress.ended, rooms.length),
              ...(progress.running > 0 ? [text.running(progress.running)] : []),
              ...(progress.waiting > 0 ? [text.waiting(progress.waiting)] : []),
            ].join(', ')}
          </Text>
          <Button variant="subtle" size="compact-sm" onClick={toggle} aria-expanded={isOpen}>
            {isOpen ? text.hideRooms : text.showRooms}
          </Button>
        </Group>
        <Collapse expanded={isOpen}>
          <PilotRooms experimentId={experimentId} rooms={rooms} />
        </Collapse>
      </Stack>
    </Paper>
  )
}

function PilotRooms({ experimentId, rooms }: { experimentId: string } & Pick<PilotSummary, 'rooms'>) {
  const text = texts().pilots
  return (
    <Stack component="ul" gap={4} p={0} m={0}>
      {rooms.map(({ roomId, status, endReason }) => (
        <Group component="li" key={roomId} gap="xs" style={{ listStyle: 'none' }}>
          {status === 'waiting' ? (
            <Text size="sm">{roomId}</Text>
          ) : (
            <Anchor
              component={Link}
              href={`/experiments/${experimentId}/rooms/${roomId}`}
              size="sm"
              underline="always"
            >
              {roomId}
            </Anchor>
          )}
          <Badge variant="default" tt="none" size="sm">
            {text.statuses[status]}
          </Badge>
          {status === 'ended' && (
            <Text size="sm" c="dimmed">
              {endReason ?? text.everyoneFinished}
            </Text>
          )}
        </Group>
      ))}
    </Stack>
  )
}

function budgetInWords({ budget }: PilotSummary): string[] {
  const { turns, tokens, money } = texts().pilots.budgetFacts
  return [
    ...(budget?.turns === undefined ? [] : [turns(budget.turns)]),
    ...(budget?.tokens === undefined ? [] : [tokens(budget.tokens)]),
    ...(budget?.money === undefined ? [] : [money(budget.money)]),
  ]
}
