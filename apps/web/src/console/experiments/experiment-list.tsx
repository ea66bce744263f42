import type { ExperimentHead } from '@atrium/contract'
import { Anchor, Card, Group, Stack, Table, Text } from '@mantine/core'
import { Link } from 'wouter'
import { formatNumber, formatPlaces } from '../text/numbers.ts'
import { AccessBadge } from './access-badge.tsx'
import { StatusBadge } from './status-badge.tsx'

interface ListProps {
  experiments: ExperimentHead[]
}

/** A table where there is room for one, cards on a phone. */
export function ExperimentList({ experiments }: ListProps) {
  return (
    <>
      <Table.ScrollContainer minWidth={500} visibleFrom="sm">
        <ExperimentTable experiments={experiments} />
      </Table.ScrollContainer>
      <Stack hiddenFrom="sm" gap="sm">
        {experiments.map((experiment) => (
          <ExperimentCard key={experiment.experimentId} {...experiment} />
        ))}
      </Stack>
    </>
  )
}

const addressOf = (experimentId: string) => `/experiments/${experimentId}`

function ExperimentTable({ experiments }: ListProps) {
  return (
    <Table highlightOnHover verticalSpacing="sm" withTableBorder>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th ta="right">Revision</Table.Th>
          <Table.Th ta="right">Places left</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {experiments.map(({ experimentId, name, status, revision, availableSlots, access }) => (
          <Table.Tr key={experimentId}>
            <Table.Td>
              <Link className="row-link" href={addressOf(experimentId)}>
                {name}
              </Link>
              <Text size="xs" c="dimmed">
                {experimentId}
              </Text>
            </Table.Td>
            <Table.Td>
              <Group gap="xs">
                <StatusBadge status={status} />
                <AccessBadge access={access} />
              </Group>
            </Table.Td>
            <Table.Td ta="right" className="figure">
              {formatNumber(revision)}
            </Table.Td>
            <Table.Td ta="right" className="figure">
              {formatPlaces(availableSlots)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function ExperimentCard({ experimentId, name, status, revision, availableSlots, access }: ExperimentHead) {
  return (
    <Card withBorder padding="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Anchor component={Link} href={addressOf(experimentId)} fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Anchor>
        <StatusBadge status={status} />
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        Revision {formatNumber(revision)} · places left: {formatPlaces(availableSlots)}
      </Text>
      <AccessBadge access={access} />
    </Card>
  )
}
