import { texts } from '../../text/console.ts'
import '@mantine/charts/styles.css'
import type { ExperimentActivity } from '@atrium/contract'
import { AreaChart, BarChart } from '@mantine/charts'
import { Text } from '@mantine/core'
import { rowsOf } from './activity.ts'

const shared = {
  h: 170,
  dataKey: 'when',
  valueFormatter: (value: number) => texts().format.number(value),
  // A sentence and a table say the same; keyboard users do not need a hundred tab stops inside the chart.
  accessibilityLayer: false,
  yAxisProps: {
    width: 44,
    allowDecimals: false,
    tickFormatter: (value: number) => texts().format.shortNumber(value),
  },
  xAxisProps: { interval: 'equidistantPreserveStart', minTickGap: 40, padding: { right: 6 } },
} as const

/** People and events in charts of their own: there are a hundred times more events, and one scale would flatten the people. */
export default function ActivityCharts({ activity, label }: { activity: ExperimentActivity; label: string }) {
  const text = texts().activity
  const rows = rowsOf(activity)
  return (
    <div role="img" aria-label={label}>
      <Text size="sm" c="dimmed">
        {text.people}
      </Text>
      <BarChart
        {...shared}
        data={rows}
        withLegend
        barChartProps={{ barCategoryGap: 1, barGap: 0 }}
        legendProps={{ verticalAlign: 'top', height: 28, itemSorter: null }}
        series={[
          { name: 'joined', label: text.joined, color: 'accent.6' },
          { name: 'completed', label: text.completed, color: 'teal.6' },
        ]}
      />
      <Text size="sm" c="dimmed" mt="sm" mb={6}>
        {text.events}
      </Text>
      <AreaChart
        {...shared}
        data={rows}
        curveType="step"
        withDots={false}
        series={[{ name: 'events', label: text.events, color: 'grape.6' }]}
      />
    </div>
  )
}
