import type { ExperimentMonitor } from '@atrium/contract'
import { Badge, Group, SimpleGrid, Stack } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { Figure } from '../feedback/figure.tsx'
import { Loaded } from '../feedback/loaded.tsx'
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
  const { figures: text, format } = texts()
  const lastAt = lastEventAt === null ? undefined : Date.parse(lastEventAt)
  const { total, active, completed } = participants
  const ended = Object.values(outcomes).reduce((sum, people) => sum + people, 0)
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} spacing="sm">
        <Figure label={text.participants} value={format.number(total)} note={text.joinedInTotal} />
        <Figure label={text.active} value={format.number(active)} note={text.takingPart} />
        <Figure
          label={text.completed}
          value={format.number(completed)}
          note={text.ofAll(format.share(completed, total))}
        />
        <Figure
          label={text.endedEarly}
          value={format.number(Math.max(0, ended - completed))}
          note={text.endedEarlyNote}
        />
        <Figure label={text.places} value={format.places(availableSlots)} note={text.byCapacity} />
        <Figure label={text.openRooms} value={format.number(openRooms)} note={text.withSomeoneActive} />
        <Figure label={text.events} value={format.number(events)} note={text.stored} />
        <Figure
          label={text.gaps}
          value={format.number(sessionsWithGaps)}
          note={sessionsWithGaps > 0 ? text.eventsMissing : text.noneMissing}
          isAlarming={sessionsWithGaps > 0}
        />
        <Figure
          label={text.lastEvent}
          value={lastAt === undefined ? text.noEvent : format.ago(lastAt, now)}
          note={lastAt === undefined ? '' : format.dateTime(lastAt)}
        />
      </SimpleGrid>
      <Outcomes outcomes={outcomes} />
    </Stack>
  )
}

/** How many participants ended with each outcome, most frequent first. */
function Outcomes({ outcomes }: Pick<ExperimentMonitor, 'outcomes'>) {
  const named = Object.entries(outcomes).toSorted(([, one], [, other]) => other - one)
  if (named.length === 0) return null
  return (
    <Group gap="xs" component="ul" aria-label={texts().figures.outcomes} p={0} m={0}>
      {named.map(([outcome, people]) => (
        <Badge key={outcome} component="li" variant="default" tt="none">
          {texts().figures.outcome(outcome, people)}
        </Badge>
      ))}
    </Group>
  )
}
