import type { Recruit } from '@atrium/contract'
import { Button, Code, Group, Skeleton, Stack, Table, Text } from '@mantine/core'
import { Failure } from '../feedback/failure.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { formatDateTime } from '../text/times.ts'
import { useRecruits } from './recruit-queries.ts'

/** Who took part, by the ids of the recruiting platform: for paying them. */
export function ParticipantsTab({ experimentId }: { experimentId: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetching } =
    useRecruits(experimentId)
  const recruits = data?.pages.flatMap((page) => page.participants)
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" maw={620}>
          The recruiting ids that people brought along when they joined. They are in no export, and looking at
          them is noted in the audit log.
        </Text>
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          Refresh
        </Button>
      </Group>
      {error && <Failure error={error} onRetry={refetch} />}
      {recruits ? (
        <FoundRecruits recruits={recruits} />
      ) : (
        !error && <Skeleton height={220} role="status" aria-label="Loading" />
      )}
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function FoundRecruits({ recruits }: { recruits: Recruit[] }) {
  if (recruits.length === 0)
    return <NothingHere title="No participants yet">People appear here as soon as they join.</NothingHere>
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table verticalSpacing="sm" withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Recruiting ids</Table.Th>
            <Table.Th>Participant</Table.Th>
            <Table.Th>Joined</Table.Th>
            <Table.Th>Consent</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <Table.Th>Code</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {recruits.map((recruit) => (
            <Table.Tr key={recruit.participantId}>
              <Table.Td>
                <RecruitingIds metadata={recruit.metadata} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Code>{recruit.participantId}</Code>
              </Table.Td>
              <Table.Td>{formatDateTime(recruit.joinedAt)}</Table.Td>
              <Table.Td>{recruit.consentedAt === null ? '–' : formatDateTime(recruit.consentedAt)}</Table.Td>
              <Table.Td>{recruit.status}</Table.Td>
              <Table.Td>{recruit.outcome ?? '–'}</Table.Td>
              <Table.Td>{recruit.completionCode ?? '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function RecruitingIds({ metadata }: Pick<Recruit, 'metadata'>) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return '–'
  return entries.map(([name, value]) => (
    <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
    </Text>
  ))
}
