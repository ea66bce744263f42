import type { ExperimentStatus } from '@atrium/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { texts } from '../../text/console.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { useStatusChange } from './experiment-queries.ts'
import { type StatusStep, stepsFrom } from './status.ts'

interface StatusStepsProps {
  experimentId: string
  status: ExperimentStatus
  canChange: boolean
  /** Beside the steps. */
  children?: ReactNode
}

/** What the status means, and, for people who can change it, a button for each possible next status. */
export function StatusSteps({ experimentId, status, canChange, children }: StatusStepsProps) {
  const text = texts().status
  const [asked, setAsked] = useState<StatusStep>()
  const change = useStatusChange(experimentId)
  const take = (step: StatusStep) =>
    change.mutate(step.to, {
      onSuccess: ({ status: now }) => notifyDone(text.changed(text.names[now])),
      onError: (error) => notifyFailed(text.notChanged, error),
      onSettled: () => setAsked(undefined),
    })
  return (
    <Stack gap="xs">
      <Text>{text.meanings[status]}</Text>
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
        {children}
      </Group>
      <ConfirmDialog
        isOpen={asked !== undefined}
        title={asked?.confirmation?.title ?? ''}
        confirmLabel={asked?.label ?? ''}
        isDangerous
        isBusy={change.isPending}
        onConfirm={() => asked && take(asked)}
        onCancel={() => setAsked(undefined)}
      >
        <Text>{asked?.confirmation?.message}</Text>
      </ConfirmDialog>
    </Stack>
  )
}
