import { Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { texts } from '../../text/console.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { activityInWords } from './activity.ts'
import { ActivityTable } from './activity-table.tsx'
import { useActivity } from './experiment-queries.ts'

const ActivityCharts = lazy(() => import('./activity-charts.tsx'))
const chartsHeight = 396

export function ActivityPanel({ experimentId }: { experimentId: string }) {
  const [minutes, setMinutes] = useState<number>(60)
  const activity = useActivity(experimentId, minutes)
  const { title, range: rangeLabel, ranges } = texts().activity
  const range = ranges.find((each) => each.minutes === minutes)?.words ?? ''
  return (
    <section aria-labelledby="activity">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id="activity">
          {title}
        </Title>
        <SegmentedControl
          aria-label={rangeLabel}
          value={String(minutes)}
          onChange={(value) => setMinutes(Number(value))}
          data={ranges.map((each) => ({ value: String(each.minutes), label: each.label }))}
        />
      </Group>
      <Loaded query={activity} skeletonHeight={chartsHeight}>
        {(data) => {
          const inWords = activityInWords(data, range)
          return (
            <Stack gap="xs">
              <Suspense fallback={<Skeleton height={chartsHeight} />}>
                <ActivityCharts activity={data} label={inWords} />
              </Suspense>
              <Text size="sm">{inWords}</Text>
              <ActivityTable activity={data} />
            </Stack>
          )
        }}
      </Loaded>
    </section>
  )
}
