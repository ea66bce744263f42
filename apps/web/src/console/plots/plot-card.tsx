import { Button, Collapse, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense } from 'react'
import { texts } from '../../text/console.ts'
import type { BarPlotProps } from './bar-plot.tsx'

const BarPlot = lazy(() => import('./bar-plot.tsx'))

interface PlotCardProps {
  id: string
  title: string
  /** Says what the plot shows. */
  summary: string
  /** Shown instead of everything else if there is nothing to plot. */
  empty: string
  plot: Omit<BarPlotProps, 'label'>
  /** Header and key of each column of the table, in `plot.data`. */
  columns: readonly (readonly [key: string, header: string])[]
  note?: string | undefined
  /** What to choose the data by. */
  choice?: ReactNode
}

const skeletonHeight = 240

export function PlotCard({ id, title, summary, empty, plot, columns, note, choice }: PlotCardProps) {
  const isEmpty = plot.data.length === 0
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} style={{ minWidth: 0 }}>
      <Stack gap="sm">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {isEmpty ? (
          <Text c="dimmed">{empty}</Text>
        ) : (
          <>
            {choice}
            <Text size="sm">{summary}</Text>
            <Suspense fallback={<Skeleton height={skeletonHeight} />}>
              <BarPlot {...plot} label={summary} />
            </Suspense>
            {note && (
              <Text size="sm" c="dimmed">
                {note}
              </Text>
            )}
            <PlotTable title={title} rows={plot.data} columns={columns} />
          </>
        )}
      </Stack>
    </Paper>
  )
}

interface PlotTableProps {
  title: string
  rows: BarPlotProps['data']
  columns: PlotCardProps['columns']
}

export function PlotTable({ title, rows, columns }: PlotTableProps) {
  const { plots: text, format } = texts()
  const [isOpen, { toggle }] = useDisclosure()
  const cellOf = (value: string | number | undefined) =>
    typeof value === 'number' ? format.number(value) : value
  return (
    <div>
      <Button variant="subtle" size="compact-sm" onClick={toggle} aria-expanded={isOpen}>
        {isOpen ? text.hideTable : text.showTable}
      </Button>
      <Collapse expanded={isOpen}>
        {/* Reached by keyboard, because there is nothing in it that could be. */}
        <Table.ScrollContainer
          type="native"
          minWidth={260}
          mah={320}
          style={{ overflowY: 'auto' }}
          tabIndex={0}
        >
          <Table aria-label={text.tableOf(title)} stickyHeader>
            <Table.Thead>
              <Table.Tr>
                {columns.map(([key, header], index) => (
                  <Table.Th key={key} {...(index > 0 && { ta: 'right' })}>
                    {header}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={rows.indexOf(row)}>
                  {columns.map(([key], index) => (
                    <Table.Td key={key} {...(index > 0 && { ta: 'right', className: 'figure' })}>
                      {cellOf(row[key])}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Collapse>
    </div>
  )
}
