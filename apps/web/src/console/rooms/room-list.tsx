import type { RoomSummary } from '@atrium/contract'
import { Anchor, Card, Group, Stack, Table, Text } from '@mantine/core'
import { Link } from 'wouter'
import { counted, formatNumber } from '../text/numbers.ts'
import { formatDateTime } from '../text/times.ts'
import { RoomBadge } from './room-badges.tsx'

interface RoomListProps {
  experimentId: string
  rooms: RoomSummary[]
}

export function RoomList({ experimentId, rooms }: RoomListProps) {
  const addressOf = (roomId: string) => `/experiments/${experimentId}/rooms/${roomId}`
  return (
    <>
      <Table.ScrollContainer minWidth={620} visibleFrom="sm">
        <Table highlightOnHover verticalSpacing="sm" withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Room</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Condition</Table.Th>
              <Table.Th>People</Table.Th>
              <Table.Th>Created</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rooms.map((room) => (
              <Table.Tr key={room.roomId}>
                <Table.Td>
                  <Link className="row-link" href={addressOf(room.roomId)}>
                    {room.roomId}
                  </Link>
                </Table.Td>
                <Table.Td>
                  <RoomBadge status={room.status} />
                  {room.endReason !== null && (
                    <Text size="xs" c="dimmed">
                      {room.endReason}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{room.condition ?? '–'}</Table.Td>
                <Table.Td>{peopleIn(room)}</Table.Td>
                <Table.Td>{formatDateTime(room.createdAt)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Stack hiddenFrom="sm" gap="sm">
        {rooms.map((room) => (
          <Card key={room.roomId} withBorder padding="md">
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Anchor
                component={Link}
                href={addressOf(room.roomId)}
                fw={600}
                style={{ overflowWrap: 'anywhere' }}
              >
                {room.roomId}
              </Anchor>
              <RoomBadge status={room.status} />
            </Group>
            <Text size="sm" c="dimmed" mt={4}>
              {peopleIn(room)}
              {room.condition !== null && ` · ${room.condition}`} · {formatDateTime(room.createdAt)}
            </Text>
          </Card>
        ))}
      </Stack>
    </>
  )
}

function peopleIn({ participants, active, agents, status }: RoomSummary): string {
  return [
    counted(participants, 'person', 'people'),
    ...(status === 'ended' ? [] : [`${formatNumber(active)} active`]),
    ...(agents > 0 ? [counted(agents, 'agent')] : []),
  ].join(', ')
}
