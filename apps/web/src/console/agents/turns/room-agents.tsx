import type { RoomReport, SeatReport } from '@atrium/contract'
import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { texts } from '../../../text/console.ts'
import { PagedList } from '../../feedback/paged-list.tsx'
import { AgentBadge, AgentState } from './agent-state.tsx'
import { AskNow } from './ask-now.tsx'
import { TurnCard } from './turn-card.tsx'
import { useAgentTurns } from './turn-queries.ts'
import '../agents.css'

interface RoomAgentsProps {
  room: RoomReport
  seats: readonly SeatReport[]
  now: number
  canSteer: boolean
}

/** The mediators of a room, and what all its agents were asked and answered. Nothing in a room of people. */
export function RoomAgents({ room, seats, now, canSteer }: RoomAgentsProps) {
  const { mediators } = room
  if (mediators.length === 0 && !seats.some(({ agent }) => agent !== null)) return null
  return (
    <>
      {mediators.length > 0 && <Mediators room={room} now={now} canSteer={canSteer} />}
      <Turns room={room} seats={seats} />
    </>
  )
}

function Mediators({ room, now, canSteer }: Omit<RoomAgentsProps, 'seats'>) {
  const text = texts().roomAgents
  return (
    <section aria-labelledby="mediators">
      <Title order={2} size="h4" id="mediators">
        {text.mediators}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {text.mediatorsHint}
      </Text>
      <Stack gap="sm">
        {room.mediators.map(({ participantId, alias, agent }) => (
          <Paper key={participantId} withBorder p="sm">
            <Group justify="space-between" gap="xs">
              <Group gap="xs">
                <Text fw={600} size="sm">
                  {alias}
                </Text>
                <AgentBadge name={agent.agentId} />
              </Group>
              {canSteer && room.status === 'running' && (
                <AskNow roomId={room.roomId} participantId={participantId} alias={alias} />
              )}
            </Group>
            <AgentState agent={agent} now={now} />
          </Paper>
        ))}
      </Stack>
    </section>
  )
}

function Turns({ room, seats }: Pick<RoomAgentsProps, 'room' | 'seats'>) {
  const text = texts().roomAgents
  const turns = useAgentTurns(room.roomId, room.status !== 'ended')
  const aliases = new Map([...seats, ...room.mediators].map((one) => [one.participantId, one.alias]))
  return (
    <section aria-labelledby="agent-turns">
      <Title order={2} size="h4" id="agent-turns">
        {text.turns}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {text.turnsHint}
      </Text>
      <Stack gap="sm">
        <PagedList query={turns} rowsOf={(page) => page.turns}>
          {(rows) =>
            rows.length === 0 ? (
              <Text c="dimmed">{text.noTurns}</Text>
            ) : (
              <Stack gap="sm">
                {rows.map((turn) => (
                  <TurnCard
                    key={turn.callId}
                    turn={turn}
                    alias={aliases.get(turn.participantId) ?? turn.agentId}
                  />
                ))}
              </Stack>
            )
          }
        </PagedList>
      </Stack>
    </section>
  )
}
