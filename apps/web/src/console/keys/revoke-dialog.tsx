import type { ApiKey } from '@atrium/contract'
import { Text } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { Failure } from '../feedback/failure.tsx'
import { notifyDone } from '../feedback/notify.ts'
import { useRevokeKey } from './key-queries.ts'

interface RevokeDialogProps {
  apiKey: ApiKey
  isOpen: boolean
  onClose: () => void
}

export function RevokeDialog({ apiKey: { name, keyId }, isOpen, onClose }: RevokeDialogProps) {
  const { keyRevoke: text, keys } = texts()
  const revocation = useRevokeKey()
  const confirm = () =>
    revocation.mutate(keyId, {
      onSuccess: () => {
        notifyDone(text.done(name))
        onClose()
      },
    })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text.title}
      confirmLabel={keys.revoke}
      isDangerous
      isBusy={revocation.isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>{text.lost(name)}</Text>
      {revocation.error && <Failure error={revocation.error} title={text.failed} />}
    </ConfirmDialog>
  )
}
