import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useLocation } from 'wouter'
import { texts } from '../../text/console.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { useRemoval } from './experiment-queries.ts'

/** For a study that has never recruited; any other is archived. */
export function DeleteStudy({ experimentId, name }: { experimentId: string; name: string }) {
  const text = texts().deleteStudy
  const [isAsking, { open, close }] = useDisclosure()
  const [, navigate] = useLocation()
  const removal = useRemoval(experimentId)
  const remove = () =>
    removal.mutate(undefined, {
      onSuccess: () => {
        notifyDone(text.done(name))
        navigate('/')
      },
      onError: (error) => {
        close()
        notifyFailed(text.failed, error)
      },
    })
  return (
    <>
      <Button variant="subtle" color="red" onClick={open}>
        {text.open}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={text.title(name)}
        confirmLabel={text.confirm}
        isDangerous
        isBusy={removal.isPending}
        onConfirm={remove}
        onCancel={close}
      >
        <Text>{text.message}</Text>
      </ConfirmDialog>
    </>
  )
}
