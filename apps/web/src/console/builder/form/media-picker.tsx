import type { VideoRecord } from '@atrium/contract'
import { Anchor, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { Link } from 'wouter'
import { texts } from '../../../text/console.ts'
import { PosterPicture } from '../../media/poster.tsx'
import { phaseOf } from '../../media/video-phase.ts'
import { VideoIcon } from '../../shell/icons.tsx'
import { PickerDialog } from './picker-dialog.tsx'

interface MediaPickerProps {
  isOpen: boolean
  videos: readonly VideoRecord[]
  onClose: () => void
  onPick: (videoId: string) => void
}

/** Everything that was uploaded, the newest first, as the library has it. */
export function MediaPicker({ isOpen, videos, onClose, onPick }: MediaPickerProps) {
  const text = texts().builder.media
  return (
    <PickerDialog
      isOpen={isOpen}
      title={text.title}
      size="lg"
      hasSearch={videos.length > 0}
      onClose={onClose}
    >
      {(wanted) => {
        const found = videos.filter(({ filename }) => filename.toLowerCase().includes(wanted))
        return (
          <>
            <Stack component="ul" gap={4} className="builder-picks">
              {found.map((video) => (
                <li key={video.videoId}>
                  <UnstyledButton className="builder-pick" onClick={() => onPick(video.videoId)}>
                    <ProbedVideo video={video} />
                  </UnstyledButton>
                </li>
              ))}
            </Stack>
            {found.length === 0 && (
              <Text size="sm">{videos.length === 0 ? text.none : text.nothingFound}</Text>
            )}
            <Anchor component={Link} href="/media" size="sm" mt="sm" display="inline-block">
              {text.upload}
            </Anchor>
          </>
        )
      }}
    </PickerDialog>
  )
}

/** Its picture, its name and how long it is, or why it cannot be played yet. */
export function ProbedVideo({ video }: { video: VideoRecord }) {
  const { format, media, builder } = texts()
  const { kind } = phaseOf(video)
  const { durationMs } = video
  return (
    <Group gap="sm" wrap="nowrap">
      <span className="builder-video">
        {video.posterUrl === null ? <VideoIcon /> : <PosterPicture address={video.posterUrl} />}
      </span>
      <span style={{ minWidth: 0 }}>
        <Text span display="block" size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {video.filename}
        </Text>
        <Text span display="block" size="xs" c="dimmed">
          {[
            ...(durationMs === null ? [] : [format.duration(durationMs)]),
            ...(kind === 'ready' ? [] : [builder.media.notReady]),
            ...(video.isOwn ? [] : [media.someoneElses]),
          ].join(' · ')}
        </Text>
      </span>
    </Group>
  )
}
