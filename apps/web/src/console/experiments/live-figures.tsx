import type { ExperimentMonitor } from '@atrium/contract'
import { Badge, Group, SimpleGrid, Stack } from '@mantine/core'
import { Figure } from '../feedback/figure.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { formatNumber, formatPlaces, formatShare } from '../text/numbers.ts'
import { formatAgo, formatDateTime } from '../text/times.ts'
import { useMonitor } from './experiment-queries.ts'

export function LiveFigures({ experimentId }: { experimentId: string }) {
  const monitor = useMonitor(experimentId)
  return (
    <Loaded query={monitor} skeletonHeight={208}>
      {(data) => <Figures {...data} now={monitor.dataUpdatedAt} />}
    </Loaded>
  )
}

function Figures({
  participants,
  outcomes,
  openRooms,
  events,
  sessionsWithGaps,
  lastEventAt,
  availableSlots,
  now,
}: ExperimentMonitor & { now: number }) {
  const lastAt = lastEventAt === null ? undefined : Date.parse(lastEventAt)
  const { total, active, completed } = participants
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} spacing="sm">
        <Figure label="Participants" value={formatNumber(total)} note="joined in all" />
        <Figure label="Active" value={formatNumber(active)} note="taking part at the moment" />
        <Figure
          label="Completed"
          value={formatNumber(completed)}
          note={`${formatShare(completed, total)} of all`}
        />
        <Figure label="Places left" value={formatPlaces(availableSlots)} note="by the capacity" />
        <Figure label="Open rooms" value={formatNumber(openRooms)} note="with someone active" />
        <Figure label="Events" value={formatNumber(events)} note="stored" />
        <Figure
          label="Sessions with gaps"
          value={formatNumber(sessionsWithGaps)}
          note={sessionsWithGaps > 0 ? 'completed with events missing' : 'every event arrived'}
          isAlarming={sessionsWithGaps > 0}
        />
        <Figure
          label="Last event"
          value={lastAt === undefined ? 'none yet' : formatAgo(lastAt, now)}
          note={lastAt === undefined ? '' : formatDateTime(lastAt)}
        />
      </SimpleGrid>
      <Outcomes outcomes={outcomes} />
    </Stack>
  )
}

/** How participations ended, by name, most frequent first. */
function Outcomes({ outcomes }: Pick<ExperimentMonitor, 'outcomes'>) {
  const named = Object.entries(outcomes).toSorted(([, one], [, other]) => other - one)
  if (named.length === 0) return null
  return (
    <Group gap="xs" component="ul" aria-label="How participations ended" p={0} m={0}>
      {named.map(([outcome, people]) => (
        <Badge key={outcome} component="li" variant="default" tt="none">
          {outcome}: {formatNumber(people)}
        </Badge>
      ))}
    </Group>
  )
}
