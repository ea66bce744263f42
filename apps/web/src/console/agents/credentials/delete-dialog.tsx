import type { Credential } from '@atrium/contract'
import { Alert, Anchor, List, Text } from '@mantine/core'
import { Link } from 'wouter'
import { CallFailed } from '../../../api/call.ts'
import { texts } from '../../../text/console.ts'
import { ConfirmDialog } from '../../feedback/confirm-dialog.tsx'
import { notifyDone } from '../../feedback/notify.ts'
import { useDeleteCredential } from './credential-queries.ts'

interface DeleteDialogProps {
  credential: Credential
  isOpen: boolean
  onClose: () => void
}

type Uses = Credential['usedBy']

export function DeleteDialog({ credential, isOpen, onClose }: DeleteDialogProps) {
  const { credentialDelete: text, agents } = texts()
  const { name, credentialId, usedBy } = credential
  const deletion = useDeleteCredential()
  const confirm = () =>
    deletion.mutate(credentialId, {
      onSuccess: () => {
        notifyDone(text.done(name))
        onClose()
      },
    })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text.title}
      confirmLabel={agents.delete}
      isDangerous
      isBusy={deletion.isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>{text.lost(name)}</Text>
      {usedBy.length > 0 && !deletion.error && (
        <>
          <Text>{text.stillNamed}</Text>
          <Studies studies={usedBy} />
        </>
      )}
      {deletion.error && <Refusal error={deletion.error} />}
    </ConfirmDialog>
  )
}

/** Why it stays, with the studies that need it. */
function Refusal({ error }: { error: Error }) {
  const text = texts().credentialDelete
  const { studies, others } = usesIn(error)
  return (
    <Alert color="red" title={text.failed} role="alert">
      <Text size="sm">{error.message}</Text>
      <Studies studies={studies} />
      {others > 0 && <Text size="sm">{text.usedByOthers(others)}</Text>}
    </Alert>
  )
}

const Studies = ({ studies }: { studies: Uses }) => (
  <List size="sm">
    {studies.map(({ experimentId, name }) => (
      <List.Item key={experimentId}>
        <Anchor component={Link} href={`/experiments/${experimentId}`} inherit underline="always">
          {name}
        </Anchor>
      </List.Item>
    ))}
  </List>
)

/** CREDENTIAL_IN_USE names the studies that the person may see, and counts the others. */
function usesIn(error: Error): { studies: Uses; others: number } {
  const { experiments, others } = error instanceof CallFailed ? error.details : {}
  return {
    studies: Array.isArray(experiments) ? experiments.filter(isUse) : [],
    others: typeof others === 'number' ? others : 0,
  }
}

const isUse = (value: unknown): value is Uses[number] =>
  typeof value === 'object' &&
  value !== null &&
  'experimentId' in value &&
  typeof value.experimentId === 'string' &&
  'name' in value &&
  typeof value.name === 'string'
