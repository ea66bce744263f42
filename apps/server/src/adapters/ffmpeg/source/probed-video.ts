import { UnusableSource } from '../../../ports/transcoder.ts'
import { maxPixels } from '../programs/demuxers.ts'
import { type Fraction, outputRate, parseFraction, ratioOf } from './frame-rate.ts'
import type { Report, Stream } from './report.ts'

export interface Size {
  width: number
  height: number
}

/** The parts of a file that make the video. */
export interface ProbedVideo {
  /** As ffmpeg calls it, for example `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string
  durationMs: number
  video: {
    /** Of the stream in the file. */
    index: number
    /** As displayed: after rotation and with square pixels. */
    size: Size
    /** Of the output. */
    rate: Fraction
    isInterlaced: boolean
    durationMs: number | null
  }
  audio: { index: number; beginsLate: boolean; durationMs: number | null } | null
}

/** As its header describes it; what browsers record has no duration there. */
export type ReportedVideo = Omit<ProbedVideo, 'durationMs'> & { durationMs: number | null }

/** No video that we could play has a longer side; it also keeps a wrong aspect ratio within bounds. */
const longestSide = 65_535
/** Twice the highest that recorders offer. The filter that turns 400 MHz into 48 kHz takes a minute and a gigabyte. */
const highestHz = 768_000

export function probedFrom({ format, streams }: Report): ReportedVideo {
  const pictures = streams.filter(isMovingPicture)
  const video = pictures.toSorted((a, b) => rank(b) - rank(a))[0]
  const sounds = streams.filter(isSound)
  const audio = sounds.find(({ disposition }) => disposition?.default === 1) ?? sounds[0]
  if (video === undefined)
    throw new UnusableSource(
      sounds.length > 0
        ? 'This file has sound but no picture. Please upload a video file, for example an MP4.'
        : 'This file contains no video.',
    )
  if (Number(audio?.sample_rate ?? 0) > highestHz)
    throw new UnusableSource(
      'The sound of this video has a sample rate that is impossibly high. Please export it with at most 192 kHz and upload it again.',
    )
  return {
    container: format.format_name,
    durationMs: milliseconds(format.duration),
    video: {
      index: video.index,
      size: displaySize(video),
      rate: outputRate({
        average: parseFraction(video.avg_frame_rate),
        ticks: parseFraction(video.r_frame_rate),
      }),
      isInterlaced: ['tt', 'bb', 'tb', 'bt'].includes(video.field_order ?? ''),
      durationMs: streamDuration(video),
    },
    audio: audio
      ? { index: audio.index, beginsLate: beginsLate(audio, format), durationMs: streamDuration(audio) }
      : null,
  }
}

/** Players make up for less than this by themselves. */
const lateSeconds = 0.05

const beginsLate = (stream: Stream, format: Report['format']): boolean =>
  Number(stream.start_time ?? 0) - Number(format.start_time ?? 0) > lateSeconds

/** Cover pictures and thumbnails are video streams too. */
function isMovingPicture({ codec_type, codec_name, disposition = {} }: Stream): boolean {
  const isStill = disposition.attached_pic || disposition.timed_thumbnails || disposition.still_image
  return codec_type === 'video' && codec_name !== undefined && !isStill
}

/** Some phones add a track of a kind that nothing else can decode; it has no codec name. */
const isSound = ({ codec_type, codec_name, channels = 0 }: Stream): boolean =>
  codec_type === 'audio' && codec_name !== undefined && channels > 0

const rank = ({ width = 0, height = 0, disposition }: Stream): number =>
  width * height + (disposition?.default === 1 ? maxPixels : 0)

function displaySize({
  width = 0,
  height = 0,
  sample_aspect_ratio: aspect,
  tags,
  side_data_list: sides = [],
}: Stream): Size {
  // ffprobe, which has the same limit, leaves out a size beyond it.
  if (width * height === 0 || width * height > maxPixels)
    throw new UnusableSource(
      'The picture of this video is too large to be transcoded, or its size cannot be found. Please export it with at most 7680 × 4320 pixels.',
    )
  const upright = { width: bounded(width * ratioOf(parseFraction(aspect) ?? { over: 1, under: 1 })), height }
  const rotation = sides.find((side) => side.rotation !== undefined)?.rotation ?? Number(tags?.rotate ?? 0)
  const isTurned = Math.abs(Math.round(rotation / 90)) % 2 === 1
  return isTurned ? { width: upright.height, height: upright.width } : upright
}

const bounded = (side: number): number => Math.min(Math.max(Math.round(side), 1), longestSide)

/** Matroska has it in a tag, as `00:01:02.500000000`. */
function streamDuration({ duration, tags }: Stream): number | null {
  const [, hours, minutes, seconds] = /^(\d{1,4}):(\d\d):(\d\d[.]\d{1,9})$/.exec(tags?.DURATION ?? '') ?? []
  if (duration !== undefined || hours === undefined) return milliseconds(duration)
  return milliseconds(String((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)))
}

function milliseconds(seconds: string | undefined): number | null {
  const ms = Math.round(Number(seconds) * 1000)
  return Number.isSafeInteger(ms) && ms > 0 ? ms : null
}
