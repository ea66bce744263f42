import '@mantine/charts/styles.css'
import type { DryRun } from '@atrium/contract'
import { BarChart } from '@mantine/charts'
import { formatNumber, formatShort } from '../text/numbers.ts'
import { barsOf } from './dry-run-figures.ts'

export default function WaitingHistogram({ result, label }: { result: DryRun; label: string }) {
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={260}
        data={barsOf(result)}
        dataKey="wait"
        series={[{ name: 'people', label: 'People', color: 'indigo.6' }]}
        valueFormatter={formatNumber}
        accessibilityLayer={false}
        barChartProps={{ barCategoryGap: 1 }}
        yAxisProps={{ width: 44, allowDecimals: false, tickFormatter: formatShort }}
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
