import {
  type ExperimentAccess,
  type ExperimentDefinition,
  type ExperimentStatus,
  mayWith,
} from '@atrium/contract'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useSaveDefinition } from '../experiments/experiment-queries.ts'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { counted } from '../text/numbers.ts'
import { formatDefinition } from './check-text.ts'
import { DefinitionWorkbench } from './definition-workbench.tsx'
import type { Draft } from './draft.ts'
import { type PlatformVerdict, refusedPlaces } from './editor-state.ts'
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
  const saved = formatDefinition(experiment.definition)
  const text = draft?.text ?? saved
  const [verdict, setVerdict] = useState<PlatformVerdict>()
  const save = useSaveDefinition(experimentId)
  const isArchived = status === 'archived'
  const isReadOnly = isArchived || !mayWith(access, 'edit')
  const change = (next: string) => {
    setVerdict(undefined)
    setDraft(next === saved ? undefined : { text: next, revision: draft?.revision ?? revision })
  }
  const keep = (definition: ExperimentDefinition) =>
    save.mutate(definition, {
      onSuccess: ({ revision: now, warnings }) => {
        setDraft(undefined)
        setVerdict({ level: 'warning', issues: warnings })
        const noted = warnings.length > 0 ? ` The platform has ${counted(warnings.length, 'warning')}.` : ''
        notifyDone(`Saved as revision ${now}. Whoever joined before stays on theirs.${noted}`)
      },
      onError: (error) => {
        setVerdict({ level: 'error', issues: refusedPlaces(error) })
        notifyFailed('The definition was not saved', error)
      },
    })
  return (
    <>
      {draft && draft.revision !== revision && (
        <Alert color="yellow" mb="md" title={`Revision ${revision} was saved meanwhile`}>
          Your changes were made to revision {draft.revision}. Saving them replaces what the other one
          changed.
        </Alert>
      )}
      <DefinitionWorkbench
        text={text}
        onChange={change}
        verdict={verdict}
        isReadOnly={isReadOnly}
        actions={({ definition, isFresh }) => (
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {isArchived
                ? `Revision ${revision}. An archived experiment is not changed any more.`
                : isReadOnly
                  ? `Revision ${revision}. You can view it, but not change it. Make a copy to change it.`
                  : draft
                    ? `Unsaved changes. Saving makes revision ${revision + 1}; whoever has joined stays on theirs.`
                    : `Revision ${revision}, as it is saved.`}
            </Text>
            {!isReadOnly && (
              <Group gap="sm">
                <FormatButton text={text} onFormat={change} />
                <Button variant="default" disabled={!draft} onClick={() => change(saved)}>
                  Discard changes
                </Button>
                <Button
                  disabled={!draft || !definition || !isFresh}
                  loading={save.isPending}
                  onClick={() => definition && keep(definition)}
                >
                  Save
                </Button>
              </Group>
            )}
          </Group>
        )}
      />
    </>
  )
}
