import type { VideoRecord } from '@atrium/contract'
import { Anchor, Group, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { texts } from '../../../text/console.ts'
import { PosterPicture } from '../../media/poster.tsx'
import { phaseOf } from '../../media/video-phase.ts'
import { FilmIcon } from '../../shell/icons.tsx'

interface MediaPickerProps {
  isOpen: boolean
  videos: readonly VideoRecord[]
  onClose: () => void
  onPick: (videoId: string) => void
}

/** Everything that was uploaded, the newest first, as the library has it. */
export function MediaPicker({ isOpen, videos, onClose, onPick }: MediaPickerProps) {
  const [search, setSearch] = useState('')
  const text = texts().builder.media
  const wanted = search.trim().toLowerCase()
  const found = videos.filter(({ filename }) => filename.toLowerCase().includes(wanted))
  return (
    <Modal.Root opened={isOpen} onClose={onClose} size="lg" centered>
      <Modal.Overlay />
      <Modal.Content>
        {/* A <header> would be a second banner landmark on the page. */}
        <Modal.Header role="presentation">
          <Modal.Title>{text.title}</Modal.Title>
          <Modal.CloseButton aria-label={texts().feedback.close} />
        </Modal.Header>
        <Modal.Body>
          {videos.length > 0 && (
            <TextInput
              type="search"
              label={texts().builder.components.search}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              data-autofocus
              mb="sm"
            />
          )}
          <Stack component="ul" gap={4} p={0} m={0} style={{ listStyle: 'none' }}>
            {found.map((video) => (
              <li key={video.videoId}>
                <UnstyledButton className="builder-pick" onClick={() => onPick(video.videoId)}>
                  <Film video={video} />
                </UnstyledButton>
              </li>
            ))}
          </Stack>
          {found.length === 0 && <Text size="sm">{videos.length === 0 ? text.none : text.nothingFound}</Text>}
          <Anchor component={Link} href="/media" size="sm" mt="sm" display="inline-block">
            {text.upload}
          </Anchor>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Its picture, its name and how long it is, or why it cannot be played yet. */
export function Film({ video }: { video: VideoRecord }) {
  const { format, media, builder } = texts()
  const { kind } = phaseOf(video)
  const { durationMs } = video
  return (
    <Group gap="sm" wrap="nowrap">
      <span className="builder-film">
        {video.posterUrl === null ? <FilmIcon /> : <PosterPicture address={video.posterUrl} />}
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
