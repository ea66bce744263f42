import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { texts } from '../../text/console.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { StartDialog } from '../launch/start-dialog.tsx'
import { type Launched, useStart } from '../launch/use-start.ts'
import { useStatusChange } from './experiment-queries.ts'
import { type StatusStep, stepsFrom } from './status.ts'

interface StatusStepsProps {
  experiment: Launched
  canChange: boolean
  /** Whether there are changes that are not even stored as a draft. */
  isUnsaved: boolean
  /** What was open in the builder is a draft no longer. */
  onPublished: () => void
  /** Beside the steps. */
  children?: ReactNode
}

/** What the status means, and, for people who can change it, a button for each possible next status. */
export function StatusSteps({ experiment, canChange, isUnsaved, onPublished, children }: StatusStepsProps) {
  const { experimentId, status } = experiment
  const text = texts().status
  const [asked, setAsked] = useState<StatusStep>()
  const change = useStatusChange(experimentId)
  const start = useStart(experiment, onPublished)
  const take = (step: StatusStep) =>
    change.mutate(
      { status: step.to },
      {
        onSuccess: ({ status: now }) => notifyDone(text.changed(text.names[now])),
        onError: (error) => notifyFailed(text.notChanged, error),
        onSettled: () => setAsked(undefined),
      },
    )
  const press = (step: StatusStep) => {
    if (step.to === 'recruiting') void start.ask()
    else if (step.confirmation === undefined) take(step)
    else setAsked(step)
  }
  return (
    <Stack gap="xs">
      <Text>{text.meanings[status]}</Text>
      <Group gap="sm">
        {(canChange ? stepsFrom(status) : []).map((step) => (
          <Button
            key={step.to}
            variant={step.to === 'recruiting' ? 'filled' : 'default'}
            disabled={change.isPending || start.isBusy || (step.to === 'recruiting' && isUnsaved)}
            onClick={() => press(step)}
          >
            {step.label}
          </Button>
        ))}
        {children}
      </Group>
      {canChange && isUnsaved && (
        <Text size="sm" c="dimmed" role="status">
          {text.unsaved}
        </Text>
      )}
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
      {start.draft && <StartDialog experiment={experiment} draft={start.draft} start={start} />}
    </Stack>
  )
}
