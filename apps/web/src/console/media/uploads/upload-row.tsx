import { ActionIcon, Group, Progress, Stack, Text, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../../../text/console.ts'
import { AgainIcon, CrossIcon, PauseIcon, PlayIcon } from '../../shell/icons.tsx'
import { rateOf, remainingMs } from './transfer-rate.ts'
import type { QueuedUpload, UploadQueue } from './upload-queue.ts'

interface UploadRowProps {
  upload: QueuedUpload
  nowMs: number
  queue: UploadQueue
  onCancel: () => void
}

/** One file on its way: how far it is, how fast, and how long it will take. */
export function UploadRow({ upload, nowMs, queue, onCancel }: UploadRowProps) {
  const text = texts().mediaUploads
  const { id, file, state, sentBytes } = upload
  const percent = (sentBytes / file.size) * 100
  const isFailed = state.kind === 'failed'
  return (
    <Stack gap={6} component="li">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={600} truncate title={file.name}>
          {file.name}
        </Text>
        <Group gap={4} wrap="nowrap">
          {isPausable(upload) && (
            <RowButton label={text.pause(file.name)} onClick={() => queue.pause(id)}>
              <PauseIcon />
            </RowButton>
          )}
          {state.kind === 'paused' && (
            <RowButton label={text.resume(file.name)} onClick={() => queue.resume(id)}>
              <PlayIcon />
            </RowButton>
          )}
          {isFailed && (
            <RowButton label={text.tryAgain(file.name)} onClick={() => queue.resume(id)}>
              <AgainIcon />
            </RowButton>
          )}
          {state.kind !== 'cancelling' && state.kind !== 'stored' && (
            <RowButton label={text.cancel(file.name)} onClick={onCancel}>
              <CrossIcon />
            </RowButton>
          )}
        </Group>
      </Group>
      <Progress.Root size="md">
        <Progress.Section
          value={percent}
          color={isFailed ? 'red' : state.kind === 'paused' ? 'var(--mantine-color-dimmed)' : 'accent'}
          aria-label={text.progressOf(file.name)}
          aria-valuetext={describe(upload, nowMs).join(', ')}
        />
      </Progress.Root>
      <Text
        size="xs"
        {...(isFailed ? { className: 'alarming', role: 'alert' } : { className: 'figure', c: 'dimmed' })}
      >
        {describe(upload, nowMs).join(' · ')}
      </Text>
    </Stack>
  )
}

/**
 * Once everything has been sent, there is nothing left to pause: it would only be sent again. Nor can one request with
 * pictures and sounds rest half-way.
 */
const isPausable = ({ file, state, sentBytes }: QueuedUpload): boolean =>
  state.kind === 'queued' || (state.kind === 'sending' && file instanceof File && sentBytes < file.size)

function describe({ file, state, sentBytes, samples }: QueuedUpload, nowMs: number): string[] {
  const text = texts().mediaUploads
  const sent = text.sent(sentBytes, file.size)
  switch (state.kind) {
    case 'queued':
      return sentBytes === 0 ? [text.states.queued] : [text.states.queued, sent]
    case 'paused':
      return [text.states.paused, sent]
    case 'failed':
      return [state.message]
    case 'cancelling':
      return [text.states.cancelling]
    case 'stored':
      return [text.states.stored]
    case 'sending': {
      if (sentBytes >= file.size) return [text.states.finishing]
      const rate = rateOf(samples, nowMs)
      if (rate === 0) return [sent, text.states.stalled]
      const left = remainingMs(file.size - sentBytes, rate)
      return [
        sent,
        ...(rate === undefined ? [] : [text.rate(rate)]),
        ...(left === undefined ? [] : [text.left(left)]),
      ]
    }
  }
}

function RowButton({
  label,
  onClick,
  children,
}: {
  label: string
  onClick: () => void
  children: ReactNode
}) {
  return (
    // Names of files are long, and phones narrow.
    <Tooltip label={label} multiline maw={260} style={{ overflowWrap: 'anywhere' }}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
