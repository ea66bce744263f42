import { operationsRoutes } from '@atrium/contract'
import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { Figure } from '../feedback/figure.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { PageTitle } from '../feedback/page-title.tsx'
import { counted, formatNumber } from '../text/numbers.ts'

const refreshMs = 5_000

export function SystemPage() {
  const health = useQuery({
    queryKey: ['cluster-health'],
    queryFn: ({ signal }) => call(operationsRoutes.cluster, { signal }),
    refetchInterval: refreshMs,
  })
  return (
    <Stack>
      <PageTitle>System</PageTitle>
      <Text c="dimmed">What the platform runs on. It refreshes every {refreshMs / 1_000} seconds.</Text>
      <Loaded query={health} skeletonHeight={96}>
        {({ totalPods, healthyPods, totalRooms, totalParticipants }) => (
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
            <Figure
              label="Instances"
              value={`${formatNumber(healthyPods)} of ${formatNumber(totalPods)}`}
              note={
                healthyPods < totalPods
                  ? `${counted(totalPods - healthyPods, 'instance')} late to report`
                  : 'all healthy'
              }
              isAlarming={healthyPods < totalPods}
            />
            <Figure label="Open rooms" value={formatNumber(totalRooms)} note="on all instances" />
            <Figure label="Participants" value={formatNumber(totalParticipants)} note="in these rooms" />
          </SimpleGrid>
        )}
      </Loaded>
      <Text size="sm">
        Everything the console does is in the{' '}
        <Anchor href="/api/docs" target="_blank" inherit underline="always">
          API reference
        </Anchor>
        .
      </Text>
    </Stack>
  )
}
