import type { RoomSummary } from '@atrium/contract'
import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'
import { PilotBadge } from '../agents/turns/agent-state.tsx'
import { RowTable } from '../feedback/row-table.tsx'
import { RoomBadge } from './room-badges.tsx'

interface RoomListProps {
  experimentId: string
  rooms: RoomSummary[]
}

export function RoomList({ experimentId, rooms }: RoomListProps) {
  const { rooms: text, feedback, format } = texts()
  const addressOf = (roomId: string) => `/experiments/${experimentId}/rooms/${roomId}`
  return (
    <RowTable
      rows={rooms}
      keyOf={({ roomId }) => roomId}
      minWidth={620}
      isHighlighted
      columns={[
        {
          header: text.columns.room,
          cell: ({ roomId }) => (
            <Link className="row-link" href={addressOf(roomId)}>
              {roomId}
            </Link>
          ),
        },
        { header: text.columns.status, cell: (room) => <RoomStatus {...room} /> },
        { header: text.columns.condition, cell: ({ condition }) => condition ?? feedback.none },
        { header: text.columns.people, cell: peopleIn },
        { header: text.columns.created, cell: ({ createdAt }) => format.dateTime(createdAt) },
        { header: text.columns.replay, cell: ({ roomId }) => <ReplayLink room={addressOf(roomId)} /> },
      ]}
      card={(room) => (
        <>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Anchor
              component={Link}
              href={addressOf(room.roomId)}
              fw={600}
              style={{ overflowWrap: 'anywhere' }}
            >
              {room.roomId}
            </Anchor>
            <RoomBadge {...room} />
            {room.synthetic && <PilotBadge />}
          </Group>
          <Text size="sm" c="dimmed" mt={4}>
            {[
              peopleIn(room),
              ...(room.condition === null ? [] : [room.condition]),
              format.dateTime(room.createdAt),
            ].join(' · ')}
          </Text>
          <ReplayLink room={addressOf(room.roomId)} />
        </>
      )}
    />
  )
}

const ReplayLink = ({ room }: { room: string }) => (
  <Anchor component={Link} href={`${room}/replay`} size="sm">
    {texts().replay.open}
  </Anchor>
)

const RoomStatus = ({ status, resting, endReason, synthetic }: RoomSummary) => (
  <>
    <RoomBadge status={status} resting={resting} /> {synthetic && <PilotBadge />}
    {endReason !== null && (
      <Text size="xs" c="dimmed">
        {endReason}
      </Text>
    )}
  </>
)

function peopleIn({ participants, active, agents, status }: RoomSummary): string {
  const text = texts().rooms
  return [
    text.people(participants),
    ...(status === 'ended' ? [] : [text.active(active)]),
    ...(agents > 0 ? [text.agents(agents)] : []),
  ].join(', ')
}
