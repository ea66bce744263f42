import type { ExperimentActivity } from '@atrium/contract'
import { Button, Collapse, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { texts } from '../../text/console.ts'
import { rowsOf } from './activity.ts'

/** The same figures as text, without the times in which nothing happened. */
export function ActivityTable({ activity }: { activity: ExperimentActivity }) {
  const { activity: text, format } = texts()
  const [isOpen, { toggle }] = useDisclosure()
  const rows = rowsOf(activity).filter(({ joined, completed, events }) => joined + completed + events > 0)
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
          <Table mt="xs" maw={560} captionSide="top">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{text.from}</Table.Th>
                <Table.Th ta="right">{text.joined}</Table.Th>
                <Table.Th ta="right">{text.completed}</Table.Th>
                <Table.Th ta="right">{text.events}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ when, joined, completed, events }) => (
                <Table.Tr key={when}>
                  <Table.Td>{when}</Table.Td>
                  <Table.Td ta="right">{format.number(joined)}</Table.Td>
                  <Table.Td ta="right">{format.number(completed)}</Table.Td>
                  <Table.Td ta="right">{format.number(events)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Collapse>
    </div>
  )
}
