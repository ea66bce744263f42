import type { WrittenDefinition } from '@atrium/contract'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { useRevise } from '../experiments/experiment-queries.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'

interface RestoreButtonProps {
  experimentId: string
  revision: number
  newest: number
  definition: WrittenDefinition
}

/** Saves an earlier definition as the next revision, so that what came between remains. */
export function RestoreButton({ experimentId, revision, newest, definition }: RestoreButtonProps) {
  const text = texts().revisions
  const [isAsked, setAsked] = useState(false)
  const revise = useRevise(experimentId)
  const restore = () =>
    revise.mutate(
      { definition, basedOn: newest },
      {
        onSuccess: ({ revision: now }) => notifyDone(text.restored(revision, now)),
        onError: (error) => notifyFailed(text.notRestored, error),
        onSettled: () => setAsked(false),
      },
    )
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {text.restore}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        title={text.restoreTitle(revision)}
        confirmLabel={text.restore}
        isBusy={revise.isPending}
        onConfirm={restore}
        onCancel={() => setAsked(false)}
      >
        <Text>{text.restoreMessage(revision, newest + 1)}</Text>
      </ConfirmDialog>
    </>
  )
}
