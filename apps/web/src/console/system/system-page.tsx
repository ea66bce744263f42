import { operationsRoutes } from '@atrium/contract'
import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { texts } from '../../text/console.ts'
import { Figure } from '../feedback/figure.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { PageTitle } from '../feedback/page-title.tsx'
import { SystemInside } from './system-inside.tsx'

const refreshMs = 5_000

export default function SystemPage() {
  const { system: text, shell, format } = texts()
  const health = useQuery({
    queryKey: ['cluster-health'],
    queryFn: ({ signal }) => call(operationsRoutes.cluster, { signal }),
    refetchInterval: refreshMs,
  })
  return (
    <Stack>
      <PageTitle>{text.title}</PageTitle>
      <Text c="dimmed">{text.intro(refreshMs / 1_000)}</Text>
      <Loaded query={health} skeletonHeight={96}>
        {({ totalPods, healthyPods, totalRooms, totalParticipants }) => (
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
            <Figure
              label={text.instances}
              value={text.healthyOf(healthyPods, totalPods)}
              note={healthyPods < totalPods ? text.late(totalPods - healthyPods) : text.allHealthy}
              isAlarming={healthyPods < totalPods}
            />
            <Figure label={text.openRooms} value={format.number(totalRooms)} note={text.onAllInstances} />
            <Figure
              label={text.participants}
              value={format.number(totalParticipants)}
              note={text.inTheseRooms}
            />
          </SimpleGrid>
        )}
      </Loaded>
      <SystemInside refreshMs={refreshMs} />
      <Text size="sm">
        {text.api}{' '}
        <Anchor href="/api/docs" target="_blank" inherit underline="always">
          {shell.apiReference}
        </Anchor>
      </Text>
    </Stack>
  )
}
