import type { DefinitionFinding } from '@atrium/contract'
import { Alert, Anchor, List, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'
import { placeInWords } from '../builder/problems/place-in-words.ts'
import { useCheck } from '../definition/use-check.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { Failure } from '../feedback/failure.tsx'
import { ChangeList } from '../revisions/revision-changes.tsx'
import type { Launched, Start, StoredDraft } from './use-start.ts'

const maxChanges = 12
const maxProblems = 8

interface StartDialogProps {
  experiment: Launched
  draft: StoredDraft
  start: Start
}

/** There is a draft: what participants get is somebody’s choice. */
export function StartDialog({ experiment, draft, start }: StartDialogProps) {
  const { experimentId, revision, isPublished } = experiment
  const text = texts().start
  const { checked, isFresh, error, again } = useCheck(experimentId, JSON.stringify(draft.definition), true)
  const errors = (checked?.findings ?? []).filter(({ level }) => level === 'error')
  const isBroken = checked?.isValid === false
  const published = { label: text.withRevision(revision), onChoose: start.withRevision }
  return (
    <ConfirmDialog
      isOpen
      title={isPublished ? text.title : text.firstTitle}
      confirmLabel={isPublished && isBroken ? published.label : isPublished ? text.withDraft : text.withFirst}
      isBusy={start.isBusy}
      isReady={isFresh && (isPublished || !isBroken)}
      onConfirm={isBroken ? start.withRevision : start.withDraft}
      onCancel={start.cancel}
      otherChoice={isPublished && !isBroken ? published : undefined}
    >
      {error && <Failure error={error} onRetry={again} />}
      {isBroken && <Problems experimentId={experimentId} draft={draft} errors={errors} />}
      {isPublished ? (
        <Stack gap="xs">
          <Text>{isBroken ? text.onlyRevision(revision) : text.message(revision)}</Text>
          <Title order={3} size="h5">
            {text.differs(revision)}
          </Title>
          <ChangeList
            experimentId={experimentId}
            former={revision}
            definition={draft.definition}
            max={maxChanges}
          />
        </Stack>
      ) : (
        <Text>{isBroken ? text.nothingYet : text.firstMessage}</Text>
      )}
    </ConfirmDialog>
  )
}

interface ProblemsProps {
  experimentId: string
  draft: StoredDraft
  errors: readonly DefinitionFinding[]
}

function Problems({ experimentId, draft, errors }: ProblemsProps) {
  const text = texts().start
  return (
    <Alert color="red" title={text.problems(errors.length)}>
      <List size="sm">
        {errors.slice(0, maxProblems).map(({ path, message }) => (
          <List.Item key={path + message} style={{ overflowWrap: 'anywhere' }}>
            {placeInWords(draft.definition, path)}: {message}{' '}
            <Anchor
              size="sm"
              underline="always"
              aria-label={texts().builder.problems.goTo(message)}
              renderRoot={(props) => (
                <Link {...props} href={`/experiments/${experimentId}/definition`} state={{ goal: path }} />
              )}
            >
              {texts().builder.problems.go}
            </Anchor>
          </List.Item>
        ))}
        {errors.length > maxProblems && (
          <List.Item>{texts().revisions.more(errors.length - maxProblems)}</List.Item>
        )}
      </List>
    </Alert>
  )
}
