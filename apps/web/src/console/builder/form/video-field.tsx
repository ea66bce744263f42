import type { VideoRecord } from '@atrium/contract'
import { texts } from '../../../text/console.ts'
import { PosterPicture } from '../../media/poster.tsx'
import { phaseOf } from '../../media/video-phase.ts'
import { useVideos } from '../../media/video-queries.ts'
import { VideoIcon } from '../../shell/icons.tsx'
import type { FieldProps } from './form-tools.tsx'
import { ProbedMedia } from './media-picker.tsx'
import { PickedField } from './picked-field.tsx'

/** An uploaded video. */
export function VideoField(props: FieldProps) {
  const { data: videos } = useVideos({})
  const choices = videos?.map((video) => ({
    id: video.videoId,
    name: video.filename,
    shown: <ProbedVideo video={video} />,
  }))
  const text = { ...texts().builder.media, href: '/media' }
  // An address or a sound would be played instead, and the length is that of another file.
  return <PickedField field={props} choices={choices} text={text} rivals={['src', 'mediaId', 'durationMs']} />
}

/** How long it is, or why it cannot be played yet. */
function ProbedVideo({ video }: { video: VideoRecord }) {
  const { format, media, builder } = texts()
  const { filename, durationMs, posterUrl, isOwn } = video
  const facts = [
    ...(durationMs === null ? [] : [format.duration(durationMs)]),
    ...(phaseOf(video).kind === 'ready' ? [] : [builder.media.notReady]),
    ...(isOwn ? [] : [media.someoneElses]),
  ]
  const picture = posterUrl === null ? <VideoIcon /> : <PosterPicture address={posterUrl} />
  return <ProbedMedia picture={picture} name={filename} facts={facts} />
}
