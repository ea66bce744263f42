import { Paper, Stack, Text, Title } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { ConfirmDialog } from '../../feedback/confirm-dialog.tsx'
import type { QueuedUpload } from './upload-queue.ts'
import { UploadRow } from './upload-row.tsx'
import { useQueuedUploads, useUploadQueue } from './uploads-context.tsx'

/** The files on their way, in the order in which they are sent. */
export function UploadList() {
  const text = texts().mediaUploads
  const queue = useUploadQueue()
  const uploads = useQueuedUploads()
  const nowMs = useNowMs()
  const [toCancel, setToCancel] = useState<QueuedUpload>()
  const asked = uploads.find(({ id }) => id === toCancel?.id)
  const cancel = (id: number) => {
    setToCancel(undefined)
    void queue.cancel(id)
  }
  if (uploads.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-label={text.list}>
      <Title order={2} size="h5" mb="sm">
        {text.list}
      </Title>
      <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
        {uploads.map((upload) => (
          <UploadRow
            key={upload.id}
            upload={upload}
            nowMs={nowMs}
            queue={queue}
            onCancel={() => (losesSomething(upload) ? setToCancel(upload) : cancel(upload.id))}
          />
        ))}
      </Stack>
      <ConfirmDialog
        isOpen={asked !== undefined}
        title={text.cancelDialog.title}
        confirmLabel={text.cancelDialog.confirm}
        cancelLabel={text.cancelDialog.keep}
        isDangerous
        onConfirm={() => asked && cancel(asked.id)}
        onCancel={() => setToCancel(undefined)}
      >
        <Text style={{ overflowWrap: 'anywhere' }}>
          {asked && text.cancelDialog.lost(asked.file.name, asked.sentBytes)}
        </Text>
      </ConfirmDialog>
    </Paper>
  )
}

/** Of a video, what has been sent is kept until it is cancelled; of pictures and sounds, nothing is. */
const losesSomething = ({ file, sentBytes }: QueuedUpload): boolean => file instanceof File && sentBytes > 0

/** Ticks, so that the speed of an upload falls when nothing is sent any more. */
function useNowMs(): number {
  const [nowMs, setNowMs] = useState(() => performance.now())
  useInterval(() => setNowMs(performance.now()), 1_000, { autoInvoke: true })
  return nowMs
}
