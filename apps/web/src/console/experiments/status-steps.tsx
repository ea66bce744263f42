import type { ExperimentStatus } from '@atrium/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { useStatusChange } from './experiment-queries.ts'
import { type StatusStep, statusMeanings, stepsFrom } from './status.ts'

interface StatusStepsProps {
  experimentId: string
  status: ExperimentStatus
  canChange: boolean
}

/** What the status means, and for whoever may change it a button for each one that may follow. */
export function StatusSteps({ experimentId, status, canChange }: StatusStepsProps) {
  const [asked, setAsked] = useState<StatusStep>()
  const change = useStatusChange(experimentId)
  const take = (step: StatusStep) =>
    change.mutate(step.to, {
      onSuccess: ({ status: now }) => notifyDone(`The experiment is now ${now}.`),
      onError: (error) => notifyFailed('The status was not changed', error),
      onSettled: () => setAsked(undefined),
    })
  return (
    <Stack gap="xs">
      <Text>{statusMeanings[status]}</Text>
      <Group gap="sm">
        {(canChange ? stepsFrom(status) : []).map((step) => (
          <Button
            key={step.to}
            variant={step.to === 'recruiting' ? 'filled' : 'default'}
            disabled={change.isPending}
            onClick={() => (step.confirmation === undefined ? take(step) : setAsked(step))}
          >
            {step.label}
          </Button>
        ))}
      </Group>
      <ConfirmDialog
        isOpen={asked !== undefined}
        title={asked?.to === 'archived' ? 'Archive this experiment?' : 'Close this experiment?'}
        confirmLabel={asked?.label ?? ''}
        isDangerous
        isBusy={change.isPending}
        onConfirm={() => asked && take(asked)}
        onCancel={() => setAsked(undefined)}
      >
        <Text>{asked?.confirmation}</Text>
      </ConfirmDialog>
    </Stack>
  )
}
