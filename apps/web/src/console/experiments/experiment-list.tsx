import type { ExperimentHead } from '@atrium/contract'
import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'
import { RowTable } from '../feedback/row-table.tsx'
import { AccessBadge, StatusBadge } from './badges.tsx'

const addressOf = (experimentId: string) => `/experiments/${experimentId}`

export function ExperimentList({ experiments }: { experiments: ExperimentHead[] }) {
  const { format, experiments: text } = texts()
  return (
    <RowTable
      rows={experiments}
      keyOf={({ experimentId }) => experimentId}
      minWidth={500}
      isHighlighted
      columns={[
        {
          header: text.columns.name,
          cell: ({ experimentId, name }) => (
            <>
              <Link className="row-link" href={addressOf(experimentId)}>
                {name}
              </Link>
              <Text size="xs" c="dimmed">
                {experimentId}
              </Text>
            </>
          ),
        },
        {
          header: text.columns.status,
          cell: ({ status, access }) => (
            <Group gap="xs">
              <StatusBadge status={status} />
              <AccessBadge access={access} />
            </Group>
          ),
        },
        {
          header: text.columns.revision,
          cell: ({ revision, isPublished }) => (isPublished ? format.number(revision) : text.unpublished),
          isNumber: true,
        },
        {
          header: text.columns.places,
          cell: ({ availableSlots }) => format.places(availableSlots),
          isNumber: true,
        },
      ]}
      card={({ experimentId, name, status, revision, isPublished, availableSlots, access }) => (
        <>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Anchor
              component={Link}
              href={addressOf(experimentId)}
              fw={600}
              style={{ overflowWrap: 'anywhere' }}
            >
              {name}
            </Anchor>
            <StatusBadge status={status} />
          </Group>
          <Text size="sm" c="dimmed" mt={4}>
            {text.card(isPublished ? revision : undefined, availableSlots)}
          </Text>
          <AccessBadge access={access} />
        </>
      )}
    />
  )
}
