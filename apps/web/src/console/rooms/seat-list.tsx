import type { SeatReport } from '@atrium/contract'
import { Badge, Button, Card, Group, Stack, Table, Text } from '@mantine/core'
import { formatDuration } from '../text/times.ts'
import { isPresent, type RoomAction } from './room-actions.ts'
import { SeatBadge } from './room-badges.tsx'

interface SeatListProps {
  seats: SeatReport[]
  isOpen: boolean
  onAsk: (action: RoomAction) => void
}

export function SeatList({ seats, isOpen, onAsk }: SeatListProps) {
  return (
    <>
      <Table.ScrollContainer minWidth={820} visibleFrom="sm">
        <Table verticalSpacing="sm" withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Participant</Table.Th>
              <Table.Th>Role</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Presence</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Answered</Table.Th>
              <Table.Th>Actions</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {seats.map((seat) => (
              <Table.Tr key={seat.participantId}>
                <Table.Td>
                  <Text fw={600} size="sm">
                    {seat.alias}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {seat.participantId}
                  </Text>
                </Table.Td>
                <Table.Td>{seat.role}</Table.Td>
                <Table.Td>
                  <SeatStatus seat={seat} />
                </Table.Td>
                <Table.Td>{isPresent(seat) ? <Presence seat={seat} /> : '–'}</Table.Td>
                <Table.Td>{whereabouts(seat)}</Table.Td>
                <Table.Td>{answered(seat)}</Table.Td>
                <Table.Td>{isOpen && <SeatActions seat={seat} onAsk={onAsk} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Stack hiddenFrom="sm" gap="sm">
        {seats.map((seat) => (
          <Card key={seat.participantId} withBorder padding="md">
            <Group justify="space-between" wrap="nowrap">
              <Text fw={600}>{seat.alias}</Text>
              <SeatStatus seat={seat} />
            </Group>
            <Text size="sm" c="dimmed">
              {seat.role}
              {isPresent(seat) && ` · ${whereabouts(seat)} · answered: ${answered(seat)}`}
            </Text>
            {isOpen && isPresent(seat) && (
              <Group justify="space-between" mt="xs">
                <Presence seat={seat} />
                <SeatActions seat={seat} onAsk={onAsk} />
              </Group>
            )}
          </Card>
        ))}
      </Stack>
    </>
  )
}

function SeatStatus({ seat }: { seat: SeatReport }) {
  return (
    <div>
      <SeatBadge status={seat.status} />
      {seat.outcome !== null && (
        <Text size="xs" c="dimmed">
          {seat.outcome}
        </Text>
      )}
    </div>
  )
}

function Presence({ seat }: { seat: SeatReport }) {
  return seat.presence === 'connected' ? (
    <Badge variant="dot" color="teal" tt="none">
      connected
    </Badge>
  ) : (
    <Badge variant="dot" color="orange" tt="none">
      away
    </Badge>
  )
}

const whereabouts = ({ stateId, timeInStateMs }: SeatReport): string =>
  stateId === null
    ? '–'
    : timeInStateMs === null
      ? stateId
      : `${stateId}, for ${formatDuration(timeInStateMs)}`

const answered = ({ answered: components, ready }: SeatReport): string =>
  [...components, ...(ready ? ['ready'] : [])].join(', ') || '–'

function SeatActions({ seat, onAsk }: { seat: SeatReport; onAsk: (action: RoomAction) => void }) {
  if (!isPresent(seat)) return null
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Write to ${seat.alias}`}
        onClick={() => onAsk({ kind: 'announce', seat })}
      >
        Write
      </Button>
      <Button
        size="compact-sm"
        variant="outline"
        color="red"
        aria-label={`Remove ${seat.alias}`}
        onClick={() => onAsk({ kind: 'remove', seat })}
      >
        Remove
      </Button>
    </Group>
  )
}
