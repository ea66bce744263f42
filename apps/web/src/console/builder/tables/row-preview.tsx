import { columnsOfRows, type TrialRow } from '@atrium/contract'
import { Table, Text } from '@mantine/core'
import { texts } from '../../../text/console.ts'

const shownRows = 5
const shownColumns = 8

/** The first rows of a table, and how many there are. */
export function RowPreview({ rows }: { rows: readonly TrialRow[] }) {
  const columns = columnsOfRows(rows)
  const text = texts().builder.tables
  return (
    <>
      <Text size="sm">{text.size(rows.length, columns.length)}</Text>
      <Table.ScrollContainer minWidth={0}>
        <Table verticalSpacing={2} fz="xs" aria-label={text.preview}>
          <Table.Thead>
            <Table.Tr>
              {columns.slice(0, shownColumns).map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, shownRows).map((row, at) => (
              <Table.Tr key={at}>
                {columns.slice(0, shownColumns).map((name) => (
                  <Table.Td key={name}>{String(row[name] ?? '')}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}
