import { hlsOutput, type QualityLevel } from '@atrium/contract'
import { sourceName, untrusted } from '../programs/demuxers.ts'
import type { ProbedVideo, Size } from '../source/probed-video.ts'
import { latestEndMs, saysLength } from '../source/truncation.ts'
import { firstSegmentNumber, segmentPattern, variantName } from './file-names.ts'

export interface EncoderSettings {
  /** Of x264; slower presets look better and cost more. */
  preset: string
  /** For the decoder, for the filters and for each encoder. */
  threads: number
}

/** Below this, sound that is longer than the picture just rings out in the last segment. */
const shortestTailMs = 500

/**
 * One process for the whole ladder: it decodes once, encodes each level and the sound once, and gives each level's
 * playlist the same sound. Key frames are at the same times on all levels, because all see the same frames.
 */
export const ladderArguments = (
  probed: ProbedVideo,
  levels: readonly QualityLevel[],
  { preset, threads }: EncoderSettings,
): string[] => [
  ...['-nostdin', '-hide_banner', '-v', 'error', '-progress', 'pipe:1'],
  ...['-threads', String(threads), '-filter_complex_threads', String(threads)],
  ...limit(probed),
  ...untrusted(sourceName),
  // Apart, because ffmpeg builds a whole graph anew when a picture changes its size, or sound its kind, within the video.
  ...['-filter_complex', pictureGraph(probed, levels), '-filter_complex', soundGraph(probed)],
  ...levels.flatMap((_, index) => ['-map', `[v${index}]`]),
  ...['-map', '[a]', '-map_metadata', '-1', '-map_chapters', '-1'],
  ...['-c:v', 'libx264', '-preset', preset, '-profile:v', 'main', '-pix_fmt', 'yuv420p'],
  ...['-threads', String(threads), '-sc_threshold', '0'],
  ...['-force_key_frames', `expr:gte(t,n_forced*${hlsOutput.segmentSeconds})`],
  // Without cabac, the fastest presets write baseline profile whatever the profile asked for.
  ...['-x264-params', 'nal-hrd=cbr:keyint=infinite:cabac=1'],
  ...levels.flatMap(constantBitRate),
  ...['-c:a', 'aac', '-b:a', String(hlsOutput.audioBitsPerSecond)],
  ...['-ar', String(hlsOutput.audioHz), '-ac', '2'],
  ...['-max_muxing_queue_size', '4096'],
  // Once more, because the first limit does not hold for what the filters make up.
  ...limit(probed),
  ...['-f', 'tee', levels.map(variantOutput).join('|')],
]

const limit = (probed: ProbedVideo): string[] => ['-t', String(latestEndMs(probed) / 1000)]

const constantBitRate = ({ bitsPerSecond }: QualityLevel, index: number): string[] => [
  ...['b', 'minrate', 'maxrate'].flatMap((name) => [`-${name}:v:${index}`, String(bitsPerSecond)]),
  ...[`-bufsize:v:${index}`, String(2 * bitsPerSecond)],
]

/**
 * Pictures that begin late are no concern of `fps`, which would fill up from the beginning again in every new graph: at
 * a constant frame rate, each encoder shows the first one from 0 on.
 */
function pictureGraph(probed: ProbedVideo, levels: readonly QualityLevel[]): string {
  const { video } = probed
  const { over, under } = video.rate
  const frames = [
    ...(video.isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    `fps=${over}/${under}`,
    ...stillUntilTheSoundEnds(probed),
    `split=${levels.length}`,
  ]
  const copies = levels.map((_, index) => `[s${index}]`).join('')
  const scaled = levels.map(
    (level, index) => `[s${index}]${scaleFilter(fitWithin(video.size, level), level)}[v${index}]`,
  )
  return [`[0:${video.index}]${frames.join(',')}${copies}`, ...scaled].join(';')
}

const soundGraph = (probed: ProbedVideo): string =>
  `${probed.audio ? soundOf(probed.audio, probed) : silence(probed)}[a]`

/**
 * As long as the picture: players stall where one of the two is missing. The length comes from the header, because
 * ffmpeg 5 never ends with `-shortest` and a filter that makes endless sound.
 */
const lengthOf = ({ durationMs, video }: ProbedVideo): number => video.durationMs ?? durationMs

const silence = (probed: ProbedVideo): string =>
  `anullsrc=sample_rate=${hlsOutput.audioHz}:channel_layout=stereo:duration=${lengthOf(probed)}ms`

/**
 * Sound that begins late begins with silence, unless it is in a container in which sound often changes, such as a
 * recording of a broadcast: a new graph would add the silence again.
 */
const soundOf = (
  { index, beginsLate, durationMs }: NonNullable<ProbedVideo['audio']>,
  probed: ProbedVideo,
): string =>
  [
    `[0:${index}]aresample=${hlsOutput.audioHz}:async=1${beginsLate && saysLength(probed) ? ':first_pts=0' : ''}`,
    'aformat=channel_layouts=stereo',
    `apad=whole_dur=${lengthOf(probed)}ms`,
    // A new graph would count from its own beginning. Only a measured length is exact enough to cut sound by it.
    ...(saysLength(probed)
      ? []
      : [`atrim=end=${Math.max(lengthOf(probed), durationMs ?? 0) + shortestTailMs}ms`]),
  ].join(',')

const scaleFilter = (inner: { width: number; height: number }, { width, height }: QualityLevel): string =>
  [
    `scale=${inner.width}:${inner.height}:flags=bicubic:out_range=tv`,
    'format=yuv420p',
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`,
    'setsar=1',
  ].join(',')

/** Segments are cut by pictures: without them, the rest of the sound would make one long segment. */
function stillUntilTheSoundEnds({ video, audio }: ProbedVideo): string[] {
  if (video.durationMs === null || !audio?.durationMs) return []
  const restMs = audio.durationMs - video.durationMs
  return restMs < shortestTailMs ? [] : [`tpad=stop_mode=clone:stop_duration=${restMs}ms`]
}

function variantOutput({ name }: QualityLevel, index: number): string {
  const options = {
    select: `\\'v:${index},a:0\\'`,
    f: 'hls',
    hls_time: hlsOutput.segmentSeconds,
    hls_playlist_type: 'vod',
    hls_flags: 'independent_segments',
    hls_segment_filename: segmentPattern(name),
    start_number: firstSegmentNumber,
  }
  const list = Object.entries(options).map(([key, value]) => `${key}=${value}`)
  return `[${list.join(':')}]${variantName(name)}`
}

/** The largest size of the same proportions within the box, in the even numbers that 4:2:0 needs. */
export function fitWithin({ width, height }: Size, box: Size): Size {
  const scale = Math.min(box.width / width, box.height / height)
  return { width: even(width * scale, box.width), height: even(height * scale, box.height) }
}

const even = (side: number, max: number): number => Math.min(Math.max(Math.round(side / 2) * 2, 2), max)
