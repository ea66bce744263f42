import type { ExperimentActivity } from '@atrium/contract'
import { Button, Collapse, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { formatNumber } from '../text/numbers.ts'
import { rowsOf } from './activity.ts'

/** The same figures to read. Times in which nothing happened are left out. */
export function ActivityTable({ activity }: { activity: ExperimentActivity }) {
  const [isOpen, { toggle }] = useDisclosure()
  const rows = rowsOf(activity).filter(({ joined, completed, events }) => joined + completed + events > 0)
  return (
    <div>
      <Button variant="subtle" size="compact-sm" onClick={toggle} aria-expanded={isOpen}>
        {isOpen ? 'Hide the table' : 'Show as a table'}
      </Button>
      <Collapse expanded={isOpen}>
        {rows.length === 0 ? (
          <Text size="sm" c="dimmed" mt="xs">
            There is nothing to list.
          </Text>
        ) : (
          <Table mt="xs" maw={560} captionSide="top">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>From</Table.Th>
                <Table.Th ta="right">Joined</Table.Th>
                <Table.Th ta="right">Completed</Table.Th>
                <Table.Th ta="right">Events</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ when, joined, completed, events }) => (
                <Table.Tr key={when}>
                  <Table.Td>{when}</Table.Td>
                  <Table.Td ta="right">{formatNumber(joined)}</Table.Td>
                  <Table.Td ta="right">{formatNumber(completed)}</Table.Td>
                  <Table.Td ta="right">{formatNumber(events)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Collapse>
    </div>
  )
}
