import type { ErasureScope } from '@atrium/contract'
import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { Failure } from '../feedback/failure.tsx'
import { notifyDone } from '../feedback/notify.ts'
import { useErasure } from './people-queries.ts'

interface EraseDialogProps {
  experimentId: string
  participantId: string
  /** What participants may delete themselves. */
  policy: ErasureScope | undefined
  isOpen: boolean
  onClose: () => void
  /** Nothing is left to be shown. */
  onErased: () => void
}

const scopes: readonly ErasureScope[] = ['identity', 'all']

export function EraseDialog({
  experimentId,
  participantId,
  policy,
  isOpen,
  onClose,
  onErased,
}: EraseDialogProps) {
  const text = texts().people.deletion
  const [scope, setScope] = useState<ErasureScope>(policy ?? 'identity')
  const erasure = useErasure(experimentId, participantId)
  const confirm = () =>
    erasure.mutate(scope, {
      onSuccess: () => {
        notifyDone(text.done[scope])
        onClose()
        onErased()
      },
    })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text.title}
      confirmLabel={text.confirm[scope]}
      isDangerous
      isBusy={erasure.isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Radio.Group
        label={text.scope}
        value={scope}
        onChange={(value) => setScope(value === 'all' ? 'all' : 'identity')}
      >
        <Stack gap="sm" mt="xs">
          {scopes.map((name) => (
            <Radio
              key={name}
              value={name}
              label={text.scopes[name]}
              description={`${text.scopeMeanings[name]} ${name === policy ? text.policy : ''}`}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="sm">{text.underWay}</Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text.lost(participantId)}
      </Text>
      {erasure.error && <Failure error={erasure.error} title={text.failed} />}
    </ConfirmDialog>
  )
}
