import {
  type DefinitionFinding,
  type ExperimentAccess,
  type ExperimentDefinition,
  type ExperimentStatus,
  mayWith,
} from '@atrium/contract'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { useRevise } from '../experiments/experiment-queries.ts'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { asFindings, formatDefinition } from './check-text.ts'
import { DefinitionWorkbench } from './definition-workbench.tsx'
import { type Draft, refusedPlaces } from './editor-state.ts'
import { FormatButton } from './format-button.tsx'

interface DefinitionTabProps {
  experiment: {
    experimentId: string
    revision: number
    status: ExperimentStatus
    access: ExperimentAccess
    definition: ExperimentDefinition
  }
  draft: Draft | undefined
  setDraft: (draft: Draft | undefined) => void
}

export default function DefinitionTab({ experiment, draft, setDraft }: DefinitionTabProps) {
  const { experimentId, revision, status, access } = experiment
  const text = texts().definition
  const saved = formatDefinition(experiment.definition)
  const written = draft?.text ?? saved
  const [refused, setRefused] = useState<readonly DefinitionFinding[]>([])
  const save = useRevise(experimentId)
  const isArchived = status === 'archived'
  const isReadOnly = isArchived || !mayWith(access, 'edit')
  const change = (next: string) => {
    setRefused([])
    setDraft(next === saved ? undefined : { text: next, revision: draft?.revision ?? revision })
  }
  const keep = (definition: ExperimentDefinition) =>
    // The revision on the screen: if it is not the one that the changes began with, a warning stands above them.
    save.mutate(
      { definition, basedOn: revision },
      {
        onSuccess: ({ revision: now, warnings }) => {
          setDraft(undefined)
          notifyDone(text.saved(now, warnings.length))
        },
        onError: (error) => {
          setRefused(asFindings('error', refusedPlaces(error)))
          notifyFailed(text.notSaved, error)
        },
      },
    )
  return (
    <>
      {draft && draft.revision !== revision && (
        <Alert color="yellow" mb="md" title={text.conflictTitle(revision)}>
          {text.conflictMessage(draft.revision)}
        </Alert>
      )}
      <DefinitionWorkbench
        experimentId={experimentId}
        text={written}
        onChange={change}
        refused={refused}
        isReadOnly={isReadOnly}
        actions={(savable) => (
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {isArchived
                ? text.isArchived(revision)
                : isReadOnly
                  ? text.isReadOnly(revision)
                  : draft
                    ? text.isUnsaved(revision + 1)
                    : text.isSaved(revision)}
            </Text>
            {!isReadOnly && (
              <Group gap="sm">
                <FormatButton text={written} onFormat={change} />
                <Button variant="default" disabled={!draft} onClick={() => change(saved)}>
                  {text.discard}
                </Button>
                <Button
                  disabled={!draft || !savable}
                  loading={save.isPending}
                  onClick={() => savable && keep(savable)}
                >
                  {text.save}
                </Button>
              </Group>
            )}
          </Group>
        )}
      />
    </>
  )
}
