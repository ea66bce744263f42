import { type ExperimentAccess, type ExperimentStatus, mayWith, studyOf } from '@atrium/contract'
import { Accordion, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { personName } from '../builder/draft-queries.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { PagedList } from '../feedback/paged-list.tsx'
import { RowTable } from '../feedback/row-table.tsx'
import { People } from '../people/people.tsx'
import { RestoreButton } from './restore-button.tsx'
import { RevisionChanges } from './revision-changes.tsx'
import { useRevision, useRevisions } from './revision-queries.ts'

interface RevisedExperiment {
  experimentId: string
  revision: number
  status: ExperimentStatus
  access: ExperimentAccess
}

/** What the study was at any time: participants stay on the revision that they joined. */
export function RevisionsTab({ experiment }: { experiment: RevisedExperiment }) {
  const { experimentId } = experiment
  const [shown, setShown] = useState<number>()
  const { columns, show, showLabel, title } = texts().revisions
  const { dateTime } = texts().format
  const toggle = (revision: number) => setShown(shown === revision ? undefined : revision)
  const showButton = (revision: number) => (
    <Button
      variant="default"
      size="compact-sm"
      style={{ flexShrink: 0 }}
      aria-pressed={shown === revision}
      aria-label={showLabel(revision)}
      onClick={() => toggle(revision)}
    >
      {show}
    </Button>
  )
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
              { header: columns.by, cell: ({ createdBy }) => personName(createdBy), breaksAnywhere: true },
              { header: columns.definition, cell: ({ revision }) => showButton(revision) },
            ]}
            card={({ revision, name, createdAt, createdBy }) => (
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                  <Text fw={600}>{title(revision)}</Text>
                  <Text size="sm">{name}</Text>
                  <Text size="sm" c="dimmed">
                    {dateTime(createdAt)} · {personName(createdBy)}
                  </Text>
                </div>
                {showButton(revision)}
              </Group>
            )}
          />
        )}
      </PagedList>
      {shown !== undefined && <ShownRevision experiment={experiment} shown={shown} />}
    </Stack>
  )
}

/** What was changed, who took part, and the whole definition. */
function ShownRevision({ experiment, shown }: { experiment: RevisedExperiment; shown: number }) {
  const { experimentId, revision: newest, status, access } = experiment
  const query = useRevision(experimentId, shown)
  const { title, participants, definition: label, definitionOf } = texts().revisions
  const isRestorable = shown !== newest && status !== 'archived' && mayWith(access, 'edit')
  return (
    <section aria-labelledby="revision">
      <Loaded query={query} skeletonHeight={300}>
        {({ definition }) => (
          <Stack>
            <Group justify="space-between">
              <Title order={2} size="h4" id="revision">
                {title(shown)}
              </Title>
              {isRestorable && (
                <RestoreButton
                  experimentId={experimentId}
                  revision={shown}
                  newest={newest}
                  definition={definition}
                />
              )}
            </Group>
            <RevisionChanges experimentId={experimentId} revision={shown} definition={definition} />
            <Accordion multiple variant="contained" order={3} transitionDuration={0} keepMounted={false}>
              <Accordion.Item value="participants">
                <Accordion.Control>{participants(shown)}</Accordion.Control>
                <Accordion.Panel>
                  <People
                    experimentId={experimentId}
                    definition={studyOf(definition)}
                    access={access}
                    revision={shown}
                  />
                </Accordion.Panel>
              </Accordion.Item>
              <Accordion.Item value="definition">
                <Accordion.Control>{label}</Accordion.Control>
                <Accordion.Panel>
                  <Code block tabIndex={0} aria-label={definitionOf(shown)}>
                    {JSON.stringify(definition, null, 2)}
                  </Code>
                </Accordion.Panel>
              </Accordion.Item>
            </Accordion>
          </Stack>
        )}
      </Loaded>
    </section>
  )
}
