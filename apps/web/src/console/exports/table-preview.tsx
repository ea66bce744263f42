import { Table, Text, Title, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import type { ExportChoice } from './export-choice.ts'
import { cellText, columnsIn, nextOrder, type PreviewRow, type SortOrder, sorted } from './preview-rows.ts'
import { usePreview } from './use-preview.ts'

interface TablePreviewProps {
  experimentId: string
  choice: ExportChoice
}

/** The first rows of what would be exported. */
export function TablePreview({ experimentId, choice }: TablePreviewProps) {
  const text = texts().data
  const preview = usePreview(experimentId, choice)
  return (
    <section aria-labelledby="preview">
      <Title order={2} size="h4" id="preview" mb="xs">
        {text.preview(text.tables[choice.table])}
      </Title>
      <Loaded query={preview}>{(rows) => <Rows key={choice.table} rows={rows} />}</Loaded>
    </section>
  )
}

function Rows({ rows }: { rows: readonly PreviewRow[] }) {
  const text = texts().data
  const [order, setOrder] = useState<SortOrder>()
  if (rows.length === 0) return <NothingHere title={text.noRows}>{text.noRowsMessage}</NothingHere>
  return (
    <Table.ScrollContainer minWidth={600} maxHeight={420}>
      <Table stickyHeader withTableBorder highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {columnsIn(rows).map((column) => (
              <Table.Th key={column} aria-sort={directionOf(order, column)}>
                <UnstyledButton fz="sm" fw={600} onClick={() => setOrder(nextOrder(order, column))}>
                  {text.sortedColumn(column, directionOf(order, column))}
                </UnstyledButton>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted(rows, order).map((row) => (
            <Table.Tr key={rows.indexOf(row)}>
              {columnsIn(rows).map((column) => (
                <Table.Td key={column}>
                  <Text size="sm" truncate maw={240} title={cellText(row[column])}>
                    {cellText(row[column])}
                  </Text>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function directionOf(order: SortOrder | undefined, column: string): 'ascending' | 'descending' | 'none' {
  if (order?.column !== column) return 'none'
  return order.isDescending ? 'descending' : 'ascending'
}
