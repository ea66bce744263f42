import { Button, Collapse, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { texts } from '../../../text/console.ts'
import { type CallRow, type CountedCalls, rowsOf } from './call-rows.ts'

/** The same figures as text, without the times in which no model was asked. */
export function CallTable({ counted }: { counted: CountedCalls }) {
  const { calls: text } = texts()
  const [isOpen, { toggle }] = useDisclosure()
  const rows = rowsOf(counted).filter(({ calls }) => calls > 0)
  return (
    <div>
      <Button variant="subtle" size="compact-sm" onClick={toggle} aria-expanded={isOpen}>
        {isOpen ? text.hideTable : text.showTable}
      </Button>
      <Collapse expanded={isOpen}>
        {rows.length === 0 ? (
          <Text size="sm" c="dimmed" mt="xs">
            {text.emptyTable}
          </Text>
        ) : (
          <Rows rows={rows} />
        )}
      </Collapse>
    </div>
  )
}

function Rows({ rows }: { rows: CallRow[] }) {
  const { calls: text, format, feedback } = texts()
  const latency = (ms: number | undefined) => (ms === undefined ? feedback.none : format.latency(ms))
  const columns: [header: string, cell: (row: CallRow) => string][] = [
    [text.calls, ({ calls }) => format.number(calls)],
    [text.failures, ({ failures }) => format.number(failures)],
    [text.p50, ({ p50 }) => latency(p50)],
    [text.p95, ({ p95 }) => latency(p95)],
    [text.tokens, ({ read, written }) => format.number(read + written)],
    [text.money, ({ money }) => (money === 0 ? feedback.none : format.money(money))],
  ]
  return (
    <Table.ScrollContainer minWidth={520} mt="xs">
      <Table maw={760} aria-label={text.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.from}</Table.Th>
            {columns.map(([header]) => (
              <Table.Th key={header} ta="right">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.when}>
              <Table.Td>{row.when}</Table.Td>
              {columns.map(([header, cell]) => (
                <Table.Td key={header} ta="right" className="figure">
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
