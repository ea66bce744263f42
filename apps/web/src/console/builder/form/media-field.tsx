import { Button, Group, Input, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { useVideos } from '../../media/video-queries.ts'
import { type FieldProps, useFormTools, useInputProps } from './form-tools.tsx'
import { MediaPicker, ProbedVideo } from './media-picker.tsx'
import { RemoveButton } from './object-field.tsx'

/** An uploaded video, by its name and a picture: nobody knows ids by heart. */
export function MediaField(props: FieldProps) {
  const { at, value } = props
  const { set, remove, isReadOnly, settle } = useFormTools()
  const { label, description, error, withAsterisk } = useInputProps(props)
  const [isPicking, setPicking] = useState(false)
  const videos = useVideos({})
  const text = texts().builder.media
  const videoId = typeof value === 'string' ? value : undefined
  const chosen = videos.data?.find((video) => video.videoId === videoId)
  const choose = (next: string | undefined) => {
    set(at, next)
    settle()
    // An address would be played instead of the video that was just chosen, and its length is that of another file.
    if (next !== undefined) for (const name of ['src', 'durationMs']) remove(at.replace(/videoId$/, name))
    setPicking(false)
  }
  return (
    <Input.Wrapper
      data-at={at}
      label={label}
      description={description}
      error={error}
      withAsterisk={withAsterisk}
      labelElement="div"
      size="sm"
    >
      <Stack gap={6} mt={4} align="flex-start">
        {chosen ? (
          <ProbedVideo video={chosen} />
        ) : (
          videoId !== undefined && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {videos.isPending ? texts().feedback.loading : text.unknown(videoId)}
            </Text>
          )
        )}
        {!isReadOnly && (
          <Group gap="xs">
            <Button size="compact-sm" variant="light" onClick={() => setPicking(true)}>
              {videoId === undefined ? text.choose : text.chooseOther}
            </Button>
            {videoId !== undefined && <RemoveButton what={label} onClick={() => choose(undefined)} />}
          </Group>
        )}
      </Stack>
      <MediaPicker
        isOpen={isPicking}
        videos={videos.data ?? []}
        onClose={() => setPicking(false)}
        onPick={choose}
      />
    </Input.Wrapper>
  )
}
