import { Alert, Button, Group, Text } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { personName } from './draft-queries.ts'
import { type BuiltExperiment, insisted, isUnsaved, type Work } from './work.ts'

interface NoticesProps {
  experiment: BuiltExperiment
  work: Work
  setWork: (change: (work: Work) => Work) => void
  isReadOnly: boolean
  isSaving: boolean
  hasFailed: boolean
  onShowTheirs: () => void
}

/** Where the document stands: published, saved as a draft, or in the way of somebody else’s. */
export function Notices(props: NoticesProps) {
  const { experiment, work, setWork, onShowTheirs } = props
  const { rival, colleague, basedOn } = work
  const { conflict, revised, status } = texts().builder
  const isBehind = basedOn !== experiment.revision && (work.savedAt !== undefined || isUnsaved(work))
  return (
    <>
      <Group gap="md">
        <Text size="sm" c="dimmed" role="status">
          {statusOf(props)}
        </Text>
        {colleague && (
          <Text size="sm" fw={600}>
            {status.by(colleague.name, colleague.at)}
          </Text>
        )}
      </Group>
      {isBehind && (
        <Alert color="yellow" title={revised.title(experiment.revision)}>
          {revised.message(basedOn)}
        </Alert>
      )}
      {rival && (
        <Alert
          color="yellow"
          title={conflict.title(rival.isYours ? conflict.you : personName(rival.savedBy))}
        >
          <Text size="sm">{conflict.message(rival.savedAt)}</Text>
          <Group gap="xs" mt="xs">
            <Button size="compact-sm" variant="default" onClick={onShowTheirs}>
              {conflict.theirs}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setWork(insisted)}>
              {conflict.mine}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  )
}

function statusOf({ experiment, work, isReadOnly, isSaving, hasFailed }: NoticesProps): string {
  const { status } = texts().builder
  const { revision, isPublished } = experiment
  if (experiment.status === 'archived') return status.archived(revision)
  if (isReadOnly) return isPublished ? status.readOnly(revision) : status.readOnlyBeginning
  if (hasFailed) return status.failed
  if (isSaving || isUnsaved(work)) return status.saving
  if (work.savedAt !== undefined) return status.saved(work.savedAt)
  return isPublished ? status.published(revision) : status.unpublished
}
