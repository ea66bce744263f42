import type { VideoRecord } from '@atrium/contract'
import { NativeSelect, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useRef } from 'react'
import { texts } from '../../text/console.ts'
import { Dialog } from '../feedback/dialog.tsx'
import { Failure } from '../feedback/failure.tsx'
import { type HlsPlayback, useHls } from './use-hls.ts'
import { usePlayableVideo } from './video-queries.ts'

interface PlayDialogProps {
  video: VideoRecord
  isOpen: boolean
  onClose: () => void
}

export default function PlayDialog({ video, isOpen, onClose }: PlayDialogProps) {
  const isPhone = useMediaQuery('(max-width: 48em)') ?? false
  return (
    <Dialog isOpen={isOpen} title={video.filename} onClose={onClose} centered size={880} fullScreen={isPhone}>
      <Reading videoId={video.videoId} />
    </Dialog>
  )
}

function Reading({ videoId }: { videoId: string }) {
  const text = texts().media.player
  const { data, dataUpdatedAt, error, refetch } = usePlayableVideo(videoId)
  if (error) return <Failure error={error} title={text.failed} onRetry={refetch} />
  if (!data)
    return (
      <div className="player" role="status">
        <Text>{text.loading}</Text>
      </div>
    )
  if (data.playbackUrl === null) return <Failure error={new Error(text.notReady)} title={text.failed} />
  // Trying again starts anew, even if the address is the same.
  return <Player key={dataUpdatedAt} address={data.playbackUrl} poster={data.posterUrl} onRetry={refetch} />
}

interface PlayerProps {
  address: string
  poster: string | null
  onRetry: () => unknown
}

function Player({ address, poster, onRetry }: PlayerProps) {
  const element = useRef<HTMLVideoElement>(null)
  const playback = useHls(element, address)
  const { failure } = playback
  return (
    <Stack gap="sm">
      {failure !== undefined && (
        <Failure
          error={new Error(texts().media.player[failure])}
          title={texts().media.player.failed}
          onRetry={failure === 'unsupported' ? undefined : onRetry}
        />
      )}
      <video
        ref={element}
        className="player"
        controls
        autoPlay
        playsInline
        {...(poster !== null && { poster })}
      />
      {playback.levels.length > 1 && <QualitySelect {...playback} />}
    </Stack>
  )
}

function QualitySelect({ levels, chosen, current, choose }: HlsPlayback) {
  const text = texts().media.player
  const now = current === undefined ? undefined : levels[current]
  const automatic = now === undefined || chosen !== undefined ? text.automatic : text.automaticNow(now)
  return (
    <NativeSelect
      label={text.quality}
      maw={220}
      value={chosen ?? ''}
      onChange={({ currentTarget: { value } }) => choose(value === '' ? undefined : Number(value))}
      data={[
        { value: '', label: automatic },
        ...levels.map((label, index) => ({ value: String(index), label })),
      ]}
    />
  )
}
