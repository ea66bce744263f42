import type { SeatReport } from '@atrium/contract'
import { Badge, Button, Group, Text } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { AgentBadge, AgentState } from '../agents/turns/agent-state.tsx'
import { AskNow } from '../agents/turns/ask-now.tsx'
import { RowTable } from '../feedback/row-table.tsx'
import { isPresent, type RoomAction } from './room-actions.ts'
import { SeatBadge } from './room-badges.tsx'

interface SeatListProps {
  roomId: string
  seats: SeatReport[]
  /** When they were read. */
  now: number
  isOpen: boolean
  onAsk: (action: RoomAction) => void
}

export function SeatList({ roomId, seats, now, isOpen, onAsk }: SeatListProps) {
  const { columns, answered } = texts().seats
  return (
    <RowTable
      rows={seats}
      keyOf={({ participantId }) => participantId}
      minWidth={820}
      columns={[
        {
          header: columns.participant,
          cell: ({ alias, participantId, agent }) => (
            <>
              <Text fw={600} size="sm">
                {alias}
              </Text>
              <Text size="xs" c="dimmed">
                {participantId}
              </Text>
              {agent && <AgentBadge name={agent.name} />}
              {agent && <AgentState agent={agent} now={now} />}
            </>
          ),
        },
        { header: columns.role, cell: ({ role }) => role },
        { header: columns.status, cell: (seat) => <SeatStatus seat={seat} /> },
        {
          header: columns.presence,
          cell: (seat) => (isPresent(seat) && !seat.agent ? <Presence seat={seat} /> : texts().feedback.none),
        },
        { header: columns.state, cell: whereabouts },
        { header: columns.answered, cell: answersOf },
        {
          header: columns.actions,
          cell: (seat) => isOpen && <SeatActions roomId={roomId} seat={seat} onAsk={onAsk} />,
        },
      ]}
      card={(seat) => (
        <>
          <Group justify="space-between" wrap="nowrap">
            <Text fw={600}>{seat.alias}</Text>
            <SeatStatus seat={seat} />
          </Group>
          {seat.agent && <AgentBadge name={seat.agent.name} />}
          {seat.agent && <AgentState agent={seat.agent} now={now} />}
          <Text size="sm" c="dimmed">
            {[seat.role, ...(isPresent(seat) ? [whereabouts(seat), answered(answersOf(seat))] : [])].join(
              ' · ',
            )}
          </Text>
          {isOpen && isPresent(seat) && (
            <Group justify="space-between" mt="xs">
              {seat.agent ? <span /> : <Presence seat={seat} />}
              <SeatActions roomId={roomId} seat={seat} onAsk={onAsk} />
            </Group>
          )}
        </>
      )}
    />
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
  const { connected, away } = texts().seats
  const isConnected = seat.presence === 'connected'
  return (
    <Badge variant="dot" color={isConnected ? 'teal' : 'orange'} tt="none" miw="max-content">
      {isConnected ? connected : away}
    </Badge>
  )
}

function whereabouts({ stateId, timeInStateMs }: SeatReport): string {
  const { seats, feedback, format } = texts()
  if (stateId === null) return feedback.none
  return timeInStateMs === null ? stateId : seats.inState(stateId, format.duration(timeInStateMs))
}

const answersOf = ({ answered, ready }: SeatReport): string =>
  [...answered, ...(ready ? [texts().seats.ready] : [])].join(', ') || texts().feedback.none

interface SeatActionsProps {
  roomId: string
  seat: SeatReport
  onAsk: (action: RoomAction) => void
}

/** An agent is asked to act; a message of the researchers would reach nobody. */
function SeatActions({ roomId, seat, onAsk }: SeatActionsProps) {
  const { message, messageTo, remove, removeLabel } = texts().seats
  if (!isPresent(seat)) return null
  return (
    <Group gap="xs" wrap="nowrap">
      {seat.agent ? (
        <AskNow roomId={roomId} participantId={seat.participantId} alias={seat.alias} />
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={messageTo(seat.alias)}
          onClick={() => onAsk({ kind: 'announce', seat })}
        >
          {message}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="outline"
        color="red"
        aria-label={removeLabel(seat.alias)}
        onClick={() => onAsk({ kind: 'remove', seat })}
      >
        {remove}
      </Button>
    </Group>
  )
}
