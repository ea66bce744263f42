import { type Source, UnusableSource } from '@atrium/contract'
import type { ProbeResult, VideoProperties } from '@aws-sdk/client-mediaconvert'

/** What MediaConvert's probe says about a file, or UnusableSource with what is wrong with it. */
export function sourceOf(result: ProbeResult | undefined): Source {
  const { Format, Duration, Tracks = [] } = result?.Container ?? {}
  if (!Format) throw new UnusableSource(notAVideo)
  const picture = Tracks.find(({ TrackType }) => TrackType === 'video')?.VideoProperties
  const hasAudio = Tracks.some(({ TrackType }) => TrackType === 'audio')
  if (!picture?.Width || !picture.Height)
    throw new UnusableSource(hasAudio ? 'This file has sound but no picture.' : notAVideo)
  return { ...displaySize(picture), durationMs: Duration ? Math.round(Duration * 1_000) : null, hasAudio }
}

export const notAVideo = 'This file is not a video, or it is damaged.'

/** With square pixels, as high as stored; then turned. */
function displaySize(picture: VideoProperties): { width: number; height: number } {
  const { Width = 0, Height = 0, Rotation = 0, SampleAspectRatio, CodecMetadata } = picture
  // The container's word counts before that of the codec, as in players.
  const { Numerator = 1, Denominator = 1 } = SampleAspectRatio ?? CodecMetadata?.SampleAspectRatio ?? {}
  const width = Math.round((Width * (Numerator || 1)) / (Denominator || 1))
  return Rotation % 180 === 0 ? { width, height: Height } : { width: Height, height: width }
}
