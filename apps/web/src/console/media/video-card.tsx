import type { VideoRecord } from '@atrium/contract'
import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useRef } from 'react'
import { texts } from '../../text/console.ts'
import { ExperimentUses } from '../feedback/experiment-uses.tsx'
import { AgainIcon, PlayIcon } from '../shell/icons.tsx'
import { useMayAdminister } from './administering.ts'
import { Poster } from './poster.tsx'
import { acceptedVideos } from './uploads/chosen-files.ts'
import { FilePicker } from './uploads/file-picker.tsx'
import { type VideoAction, VideoMenu } from './video-menu.tsx'
import { mayHelpToRetry, phaseOf } from './video-phase.ts'
import { VideoStatus } from './video-status.tsx'

interface VideoCardProps {
  video: VideoRecord
  /** The focus belongs on `opener` again once the dialog of the action is closed. */
  onAction: (action: VideoAction, opener: HTMLElement | null) => void
  /** A file was chosen to continue the upload. */
  onContinue: (file: File) => void
}

/** A video of the library: what it is, how far it is, where it is used, and what can be done with it. */
export function VideoCard({ video, onAction, onContinue }: VideoCardProps) {
  const text = texts().media
  const { kind } = phaseOf(video)
  const mayAdminister = useMayAdminister()
  const playButton = useRef<HTMLButtonElement>(null)
  const menuButton = useRef<HTMLButtonElement>(null)
  const play = kind === 'ready' ? () => onAction('play', playButton.current) : undefined
  return (
    <Paper withBorder p="sm" component="article" aria-label={video.filename} className="video-card">
      <Poster video={video} onPlay={play} />
      <Stack gap={6} className="video-head">
        <Group gap="xs">
          <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
            {video.filename}
          </Title>
          {!video.isOwn && (
            <Badge color="accent" variant="filled" tt="none">
              {text.someoneElses}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" className="figure">
          {factsOf(video).join(' · ')}
        </Text>
      </Stack>
      <Stack gap={6} className="video-body">
        <VideoStatus video={video} />
        {kind === 'failed' && mayHelpToRetry(video) && !mayAdminister && (
          <Text size="sm">{text.askAdmin}</Text>
        )}
        {(kind === 'ready' || video.usedBy.length > 0) && <ExperimentUses usedBy={video.usedBy} />}
      </Stack>
      <Group gap="xs" className="video-actions">
        {play && (
          <Button
            ref={playButton}
            size="xs"
            variant="default"
            leftSection={<PlayIcon />}
            aria-label={text.actions.playName(video.filename)}
            onClick={play}
          >
            {text.actions.play}
          </Button>
        )}
        {kind === 'failed' && mayAdminister && (
          <Button
            size="xs"
            variant="default"
            leftSection={<AgainIcon />}
            onClick={({ currentTarget }) => onAction('retry', currentTarget)}
          >
            {text.actions.retry}
          </Button>
        )}
        {kind === 'unfinished' && video.isOwn && (
          <FilePicker
            isMultiple={false}
            accept={acceptedVideos}
            size="xs"
            onFiles={([file]) => {
              if (file) onContinue(file)
            }}
          >
            {text.actions.continue}
          </FilePicker>
        )}
        <VideoMenu
          video={video}
          ref={menuButton}
          onAction={(action) => onAction(action, menuButton.current)}
        />
      </Group>
    </Paper>
  )
}

function factsOf({ width, height, durationMs, size, createdAt, uploadId }: VideoRecord): string[] {
  const { media, format } = texts()
  return [
    ...(durationMs === null ? [] : [format.duration(durationMs)]),
    ...(width === null || height === null ? [] : [media.pixels(width, height)]),
    format.bytes(size),
    media[uploadId === null ? 'uploaded' : 'begun'](format.ago(Date.parse(createdAt), Date.now())),
  ]
}
