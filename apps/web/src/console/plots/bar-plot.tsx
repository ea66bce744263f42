import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { texts } from '../../text/console.ts'

interface Series {
  name: string
  label: string
  color: string
}

export interface BarPlotProps {
  data: Record<string, string | number>[]
  dataKey: string
  series: Series[]
  /** In words, for people who do not see it. */
  label: string
  /** Bars from left to right, one below the other, for things with names; else columns along an axis. */
  isList?: boolean
}

const columnsHeight = 240
const rowHeight = 38
const aroundRows = 40
/** On a phone, three names take two lines. */
const legendHeights = [0, 0, 32, 56]
const widestBar = 48

/** Names that are longer are cut off; the table has them whole. */
const longestName = 16
const shortened = (name: string): string =>
  name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name

export default function BarPlot({ data, dataKey, series, label, isList = false }: BarPlotProps) {
  const { format } = texts()
  const legendHeight = legendHeights[series.length] ?? 0
  const numbers = { allowDecimals: false, tickFormatter: format.shortNumber }
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={legendHeight + (isList ? data.length * rowHeight + aroundRows : columnsHeight)}
        data={data}
        dataKey={dataKey}
        series={series}
        type={isList ? 'stacked' : 'default'}
        orientation={isList ? 'vertical' : 'horizontal'}
        withLegend={series.length > 1}
        legendProps={{ verticalAlign: 'top', height: legendHeight, itemSorter: null }}
        maxBarWidth={widestBar}
        valueFormatter={format.number}
        // A sentence and a table say the same; keyboard users do not need a tab stop for each bar.
        accessibilityLayer={false}
        barChartProps={{ barCategoryGap: isList ? '25%' : 1, barGap: 0 }}
        xAxisProps={isList ? numbers : { interval: 'equidistantPreserveStart', minTickGap: 24 }}
        yAxisProps={
          isList ? { width: 112, interval: 0, tickFormatter: shortened } : { ...numbers, width: 44 }
        }
      />
    </div>
  )
}
