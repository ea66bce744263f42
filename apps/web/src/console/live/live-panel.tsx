import { type LiveExperiment, type LiveRoom, liveRoutes } from '@atrium/contract'
import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'
import { Figure } from '../feedback/figure.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { useApi } from '../session/session.ts'
import { stuckBy } from './stuck.ts'
import './live.css'

const liveMs = 3_000

/** Who is where right now; asked for again every few seconds while the browser tab is visible. */
export function LivePanel({ experimentId }: { experimentId: string }) {
  const api = useApi()
  const live = useQuery({
    queryKey: ['experiments', experimentId, 'live'],
    queryFn: ({ signal }) => api.call(liveRoutes.read, { params: { experimentId }, signal }),
    refetchInterval: liveMs,
  })
  return (
    <section aria-labelledby="live">
      <Title order={2} size="h4" id="live" mb="sm">
        {texts().live.title}
      </Title>
      <Loaded query={live} skeletonHeight={160}>
        {(data) => <Live experimentId={experimentId} {...data} />}
      </Loaded>
    </section>
  )
}

function Live({
  experimentId,
  rooms,
  waiting,
  hasMoreRooms,
  at,
  ...counts
}: LiveExperiment & { experimentId: string }) {
  const { live: text, format } = texts()
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" role="group" aria-label={text.funnel}>
        <Figure label={text.joined} value={format.number(counts.joined)} />
        <Figure label={text.waiting} value={format.number(waiting.people)} />
        <Figure label={text.active} value={format.number(counts.active)} />
        <Figure
          label={text.completed}
          value={format.number(counts.completed)}
          note={format.share(counts.completed, counts.joined)}
        />
      </SimpleGrid>
      {waiting.first.length > 0 && (
        <div>
          <Title order={3} size="h5" mb={4}>
            {text.waitingRoom}
          </Title>
          <ul className="live-waiting">
            {waiting.first.map(({ participantId, role, since }) => (
              <li key={participantId}>
                <Text size="sm">
                  {participantId} · {role} · {text.waitsSince(format.duration(Math.max(0, at - since)))}
                </Text>
              </li>
            ))}
          </ul>
        </div>
      )}
      {rooms.length > 0 && (
        <div>
          <Title order={3} size="h5" mb={4}>
            {text.rooms}
          </Title>
          <Stack gap={6} component="ul" className="live-rooms">
            {rooms.map((room) => (
              <RoomRow key={room.roomId} experimentId={experimentId} room={room} now={at} />
            ))}
          </Stack>
          {hasMoreRooms && (
            <Text size="sm" c="dimmed" mt={4}>
              {text.more}
            </Text>
          )}
        </div>
      )}
    </Stack>
  )
}

function RoomRow({ experimentId, room, now }: { experimentId: string; room: LiveRoom; now: number }) {
  const { live: text, format } = texts()
  const stuck = stuckBy(room, now)
  return (
    <Paper component="li" withBorder px="sm" py={6}>
      <Group gap="sm" justify="space-between">
        <Anchor
          component={Link}
          href={`/experiments/${experimentId}/rooms/${room.roomId}`}
          size="sm"
          fw={600}
        >
          {sentenceOf(room)}
        </Anchor>
        <Group gap="sm">
          <Seats seats={room.seats} />
          <Text size="sm" c="dimmed" className="figure">
            {room.enteredAt !== null && text.since(format.duration(Math.max(0, now - room.enteredAt)))}
          </Text>
        </Group>
      </Group>
      {stuck && (
        <Text size="sm" c="var(--mantine-color-error)">
          <span aria-hidden>⚠ </span>
          {text.stuck[stuck]}
        </Text>
      )}
    </Paper>
  )
}

/** “Room 3 · Contribute · round 2 of 5”. */
function sentenceOf({ position, state, resting, status }: LiveRoom): string {
  const { live: text, rooms } = texts()
  const isNew = position === null
  const place = state
    ? [
        state.name ?? state.id,
        ...(state.round !== null && state.rounds !== null && state.rounds > 1
          ? [text.round(state.round, state.rounds)]
          : []),
      ]
    : [isNew ? text.notBegun : resting ? text.resting : text.ownPace]
  return [text.room(position), ...place, ...(status === 'paused' ? [rooms.statuses.paused] : [])].join(' · ')
}

function Seats({ seats }: Pick<LiveRoom, 'seats'>) {
  const text = texts().live
  return (
    <span className="live-seats">
      {seats.map(({ alias, status, presence }) => {
        const kind =
          status === 'agent' || (status === 'active' && presence === 'connected')
            ? 'here'
            : status === 'active' || status === 'dropped'
              ? 'away'
              : 'gone'
        const label = text.seat(alias, text[kind])
        return <span key={alias} role="img" aria-label={label} title={label} data-presence={kind} />
      })}
    </span>
  )
}
