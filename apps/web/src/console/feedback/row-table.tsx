import { Card, Stack, Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  isNumber?: boolean
  /** For long words without spaces, such as ids. */
  breaksAnywhere?: boolean
}

interface RowTableProps<Row> {
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  columns: readonly Column<Row>[]
  /** In pixels; a narrower page scrolls the table. */
  minWidth: number
  isHighlighted?: boolean
  /** Replaces a row on a phone, where there is no space for a table. */
  card?: (row: Row) => ReactNode
}

export function RowTable<Row>({ rows, keyOf, columns, minWidth, isHighlighted, card }: RowTableProps<Row>) {
  return (
    <>
      <Table.ScrollContainer minWidth={minWidth} {...(card && { visibleFrom: 'sm' })}>
        <Table verticalSpacing="sm" withTableBorder highlightOnHover={isHighlighted ?? false}>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ header, isNumber }) => (
                <Table.Th key={header} {...(isNumber && { ta: 'right' })}>
                  {header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={keyOf(row)}>
                {columns.map(({ header, cell, isNumber, breaksAnywhere }) => (
                  <Table.Td
                    key={header}
                    {...(isNumber && { ta: 'right', className: 'figure' })}
                    {...(breaksAnywhere && { style: { overflowWrap: 'anywhere' } })}
                  >
                    {cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {card && (
        <Stack hiddenFrom="sm" gap="sm">
          {rows.map((row) => (
            <Card key={keyOf(row)} withBorder padding="md">
              {card(row)}
            </Card>
          ))}
        </Stack>
      )}
    </>
  )
}
