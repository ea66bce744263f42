import { texts } from '../../text/console.ts'
import '@mantine/charts/styles.css'
import type { DryRun } from '@atrium/contract'
import { BarChart } from '@mantine/charts'
import { barsOf } from './dry-run-figures.ts'

export default function WaitingHistogram({ result, label }: { result: DryRun; label: string }) {
  const { dryRun, format } = texts()
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={260}
        data={barsOf(result)}
        dataKey="wait"
        series={[{ name: 'people', label: dryRun.people, color: 'accent.6' }]}
        valueFormatter={format.number}
        accessibilityLayer={false}
        barChartProps={{ barCategoryGap: 1 }}
        yAxisProps={{ width: 44, allowDecimals: false, tickFormatter: format.shortNumber }}
        xAxisProps={{
          interval: 'equidistantPreserveStart',
          minTickGap: 24,
          // Each bar stands for a range; the axis names where it begins.
          tickFormatter: (wait: string) => wait.split(' – ')[0] ?? wait,
        }}
      />
    </div>
  )
}
