import { Button, Code, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { PagedList } from '../feedback/paged-list.tsx'
import { RowTable } from '../feedback/row-table.tsx'
import { useRevision, useRevisions } from './revision-queries.ts'

/** What the study was at any time: participants stay on the revision that they joined. */
export function RevisionsTab({ experimentId }: { experimentId: string }) {
  const [shown, setShown] = useState<number>()
  const { columns, show, showLabel } = texts().revisions
  const { dateTime } = texts().format
  const toggle = (revision: number) => setShown(shown === revision ? undefined : revision)
  return (
    <Stack>
      <PagedList query={useRevisions(experimentId)} rowsOf={({ revisions }) => revisions}>
        {(revisions) => (
          <RowTable
            rows={revisions}
            keyOf={({ revision }) => revision}
            minWidth={620}
            columns={[
              { header: columns.revision, cell: ({ revision }) => revision },
              { header: columns.name, cell: ({ name }) => name },
              { header: columns.saved, cell: ({ createdAt }) => dateTime(createdAt) },
              { header: columns.by, cell: ({ createdBy }) => createdBy, breaksAnywhere: true },
              {
                header: columns.definition,
                cell: ({ revision }) => (
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-pressed={shown === revision}
                    aria-label={showLabel(revision)}
                    onClick={() => toggle(revision)}
                  >
                    {show}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </PagedList>
      {shown !== undefined && <RevisionDefinition experimentId={experimentId} revision={shown} />}
    </Stack>
  )
}

function RevisionDefinition({ experimentId, revision }: { experimentId: string; revision: number }) {
  const query = useRevision(experimentId, revision)
  const { title, hint, definitionOf } = texts().revisions
  return (
    <section aria-labelledby="revision">
      <Title order={2} size="h4" id="revision" mb="xs">
        {title(revision)}
      </Title>
      <Loaded query={query} skeletonHeight={300}>
        {({ definition }) => (
          <>
            <Text size="sm" c="dimmed" mb="xs">
              {hint}
            </Text>
            <Code block tabIndex={0} aria-label={definitionOf(revision)}>
              {JSON.stringify(definition, null, 2)}
            </Code>
          </>
        )}
      </Loaded>
    </section>
  )
}
