import type { InstanceStatus, SystemInstance } from '@atrium/contract'
import { Badge, Group, Stack, Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { RowTable } from '../feedback/row-table.tsx'

const colours: Record<InstanceStatus, string> = {
  healthy: 'teal.9',
  draining: 'gray.7',
  degraded: 'orange.9',
  lost: 'red.8',
}

export function InstanceList({ instances, at }: { instances: readonly SystemInstance[]; at: number }) {
  const { systemInside, format } = texts()
  const text = systemInside.instances
  const { columns, unknown } = text
  const rooms = (instance: SystemInstance) => text.of(instance.rooms, instance.maxRooms)
  const participants = (instance: SystemInstance) => text.of(instance.participants, instance.maxParticipants)
  const memory = ({ memoryBytes }: SystemInstance) =>
    memoryBytes === null ? unknown : format.bytes(memoryBytes)
  const lease = ({ leaseAgeMs }: SystemInstance) => (leaseAgeMs === null ? unknown : text.ago(leaseAgeMs))
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="h3">
        {text.title}
      </Title>
      <RowTable
        rows={instances}
        keyOf={({ podId }) => podId}
        minWidth={760}
        columns={[
          { header: columns.name, cell: ({ podId }) => podId, breaksAnywhere: true },
          { header: columns.status, cell: (instance) => <Status {...instance} /> },
          { header: columns.rooms, cell: rooms, isNumber: true },
          { header: columns.participants, cell: participants, isNumber: true },
          { header: columns.memory, cell: memory, isNumber: true },
          {
            header: columns.cpu,
            cell: ({ cpuShare }) => (cpuShare === null ? unknown : format.share(cpuShare, 1)),
            isNumber: true,
          },
          { header: columns.lease, cell: lease, isNumber: true },
          {
            header: columns.started,
            cell: ({ runningSince }) => (runningSince === null ? unknown : format.ago(runningSince, at)),
            isNumber: true,
          },
        ]}
        card={(instance) => (
          <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
            <Group justify="space-between" align="flex-start">
              <Text fw={600}>{instance.podId}</Text>
              <Status {...instance} />
            </Group>
            <Text size="sm">{text.card(rooms(instance), participants(instance))}</Text>
            <Text size="sm" c="dimmed">
              {text.cardMore(memory(instance), lease(instance))}
            </Text>
          </Stack>
        )}
      />
    </Stack>
  )
}

function Status({ status }: SystemInstance) {
  const text = texts().systemInside.instances
  const meaning = text.meaning[status]
  return (
    <>
      <Badge color={colours[status]} variant="filled" tt="none" style={{ flexShrink: 0 }}>
        {text.status[status]}
      </Badge>
      {meaning && (
        <Text size="xs" c="dimmed" maw={260}>
          {meaning}
        </Text>
      )}
    </>
  )
}
