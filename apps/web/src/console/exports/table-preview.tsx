import { experimentRoutes } from '@atrium/contract'
import { Table, Text, Title, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { useApi } from '../session/session.ts'
import { type ExportChoice, exportQueryOf } from './export-choice.ts'
import {
  cellText,
  columnsIn,
  nextOrder,
  type PreviewRow,
  rowsIn,
  type SortOrder,
  sorted,
} from './preview-rows.ts'

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

/** The first page of the table, whatever the format of the file will be. A codebook has only one. */
function usePreview(experimentId: string, choice: ExportChoice) {
  const api = useApi()
  const query = {
    ...exportQueryOf({ ...choice, format: 'jsonl' }),
    ...(choice.table !== 'codebook' && { cursor: 'start' }),
  }
  return useQuery({
    queryKey: ['experiments', experimentId, 'preview', query],
    queryFn: async ({ signal }) => {
      const answer = await api.callRaw(experimentRoutes.export, { params: { experimentId }, query, signal })
      return rowsIn(await answer.text())
    },
  })
}
