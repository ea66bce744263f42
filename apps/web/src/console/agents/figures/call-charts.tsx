import { texts } from '../../../text/console.ts'
import '@mantine/charts/styles.css'
import { BarChart, LineChart } from '@mantine/charts'
import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { type CountedCalls, rowsOf } from './call-rows.ts'

const height = 150

const shared = {
  h: height,
  dataKey: 'when',
  // A sentence and a table say the same; keyboard users do not need a hundred tab stops inside the charts.
  accessibilityLayer: false,
  xAxisProps: { interval: 'equidistantPreserveStart', minTickGap: 40, padding: { right: 6 } },
} as const

const axis = (tickFormatter: (value: number) => string) => ({ width: 56, tickFormatter })
const bars = { barCategoryGap: 1, barGap: 0 }
const legend = { verticalAlign: 'top', height: 28, itemSorter: null } as const

interface CallChartsProps {
  counted: CountedCalls
  label: string
}

/** Charts of their own for what has a scale of its own, all over the same time. */
export default function CallCharts({ counted, label }: CallChartsProps) {
  const { calls: text, format } = texts()
  const data = rowsOf(counted)
  const { promptTokens, completionTokens, money } = counted.figures
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" role="img" aria-label={label}>
      <Titled title={text.calls}>
        <BarChart
          {...shared}
          data={data}
          type="stacked"
          withLegend
          barChartProps={bars}
          legendProps={legend}
          valueFormatter={format.number}
          yAxisProps={{ ...axis(format.shortNumber), allowDecimals: false }}
          series={[
            { name: 'succeeded', label: text.succeeded, color: 'teal.6' },
            { name: 'failures', label: text.failures, color: 'red.6' },
          ]}
        />
      </Titled>
      <Titled title={text.latency}>
        <LineChart
          {...shared}
          data={data}
          withLegend
          connectNulls={false}
          curveType="linear"
          dotProps={{ r: 2 }}
          legendProps={legend}
          valueFormatter={format.latency}
          yAxisProps={axis(format.latency)}
          series={[
            { name: 'p50', label: text.p50, color: 'accent.6' },
            { name: 'p95', label: text.p95, color: 'orange.6' },
          ]}
        />
      </Titled>
      {promptTokens + completionTokens > 0 && (
        <Titled title={text.tokens}>
          <BarChart
            {...shared}
            data={data}
            type="stacked"
            withLegend
            barChartProps={bars}
            legendProps={legend}
            valueFormatter={format.number}
            yAxisProps={{ ...axis(format.shortNumber), allowDecimals: false }}
            series={[
              { name: 'read', label: text.read, color: 'grape.6' },
              { name: 'written', label: text.written, color: 'cyan.6' },
            ]}
          />
        </Titled>
      )}
      {money > 0 && (
        <Titled title={text.money}>
          <BarChart
            {...shared}
            data={data}
            withLegend
            barChartProps={bars}
            legendProps={legend}
            valueFormatter={format.money}
            yAxisProps={axis(format.money)}
            series={[{ name: 'money', label: text.money, color: 'yellow.7' }]}
          />
        </Titled>
      )}
    </SimpleGrid>
  )
}

const Titled = ({ title, children }: { title: string; children: ReactNode }) => (
  <div style={{ minWidth: 0 }}>
    <Text size="sm" c="dimmed">
      {title}
    </Text>
    {children}
  </div>
)
