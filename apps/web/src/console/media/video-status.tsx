import type { VideoRecord } from '@atrium/contract'
import { Badge, Group, Progress, Stack, Text } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { phaseOf, type VideoPhase } from './video-phase.ts'

const colours = {
  unfinished: 'orange',
  pending: 'gray',
  queued: 'gray',
  processing: 'accent',
  ready: 'teal',
  failed: 'red',
} as const satisfies Record<VideoPhase['kind'], string>

/** What the platform is doing with a video, and why, in a badge and a sentence. */
export function VideoStatus({ video }: { video: VideoRecord }) {
  const text = texts().media
  const phase = phaseOf(video)
  const note = noteOf(phase)
  return (
    <Stack gap={6}>
      <Group gap="xs" wrap="wrap">
        <Badge color={colours[phase.kind]} variant="filled" tt="none" style={{ flexShrink: 0 }}>
          {text.status[phase.kind]}
          {phase.kind === 'processing' && phase.progress !== undefined && (
            <span className="figure"> {text.processed(phase.progress)}</span>
          )}
        </Badge>
        {note !== undefined && (
          <Text
            size="sm"
            {...(phase.kind === 'failed' ? { className: 'alarming' } : { c: 'dimmed' })}
            style={{ overflowWrap: 'anywhere' }}
          >
            {note}
          </Text>
        )}
      </Group>
      {phase.kind === 'processing' && (
        <Progress.Root size="md" maw={420}>
          <Progress.Section
            value={(phase.progress ?? 0) * 100}
            aria-label={text.progressOf(video.filename)}
          />
        </Progress.Root>
      )}
    </Stack>
  )
}

function noteOf(phase: VideoPhase): string | undefined {
  const text = texts().media
  switch (phase.kind) {
    case 'unfinished':
      return text.unfinishedMessage
    case 'pending':
      return phase.reason ?? text.pendingMessage
    case 'queued':
    case 'processing':
      return undefined
    case 'ready':
      return text.levels(phase.levels)
    case 'failed':
      return phase.sentence ?? text.failedMessage
  }
}
