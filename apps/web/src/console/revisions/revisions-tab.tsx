import type { RevisionHead } from '@atrium/contract'
import { Button, Code, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Failure } from '../feedback/failure.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { formatDateTime } from '../text/times.ts'
import { useRevision, useRevisions } from './revision-queries.ts'

/** What the study was at any time: participants stay on the revision that they joined. */
export function RevisionsTab({ experimentId }: { experimentId: string }) {
  const [shown, setShown] = useState<number>()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useRevisions(experimentId)
  const revisions = data?.pages.flatMap((page) => page.revisions)
  return (
    <Stack>
      {error && <Failure error={error} onRetry={refetch} />}
      {revisions ? (
        <RevisionTable revisions={revisions} shown={shown} onShow={setShown} />
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
      {shown !== undefined && <RevisionDefinition experimentId={experimentId} revision={shown} />}
    </Stack>
  )
}

interface RevisionTableProps {
  revisions: RevisionHead[]
  shown: number | undefined
  onShow: (revision: number | undefined) => void
}

const RevisionTable = ({ revisions, shown, onShow }: RevisionTableProps) => (
  <Table.ScrollContainer minWidth={620}>
    <Table verticalSpacing="sm" withTableBorder>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Revision</Table.Th>
          <Table.Th>Name</Table.Th>
          <Table.Th>Saved</Table.Th>
          <Table.Th>By</Table.Th>
          <Table.Th>Definition</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {revisions.map(({ revision, name, createdAt, createdBy }) => (
          <Table.Tr key={revision}>
            <Table.Td>{revision}</Table.Td>
            <Table.Td>{name}</Table.Td>
            <Table.Td>{formatDateTime(createdAt)}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{createdBy}</Table.Td>
            <Table.Td>
              <Button
                variant="default"
                size="compact-sm"
                aria-pressed={shown === revision}
                aria-label={`Show revision ${revision}`}
                onClick={() => onShow(shown === revision ? undefined : revision)}
              >
                Show
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

function RevisionDefinition({ experimentId, revision }: { experimentId: string; revision: number }) {
  const query = useRevision(experimentId, revision)
  return (
    <section aria-labelledby="revision">
      <Title order={2} size="h4" id="revision" mb="xs">
        Revision {revision}
      </Title>
      <Loaded query={query} skeletonHeight={300}>
        {({ definition }) => (
          <>
            <Text size="sm" c="dimmed" mb="xs">
              As it was saved. To go back to it, copy it into the definition and save it there.
            </Text>
            <Code block tabIndex={0} aria-label={`Definition of revision ${revision}`}>
              {JSON.stringify(definition, null, 2)}
            </Code>
          </>
        )}
      </Loaded>
    </section>
  )
}
