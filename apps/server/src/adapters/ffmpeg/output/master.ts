import { type Fraction, ratioOf } from '../source/frame-rate.ts'
import type { Variant } from './variant.ts'

/**
 * The master playlist. ffmpeg's own declares less bandwidth than its segments have, so that players choose levels that
 * then stall, and leaves out the average and the frame rate.
 */
export function masterPlaylist(variants: readonly Variant[], rate: Fraction): string {
  const streams = variants.flatMap((variant) => [streamInfo(variant, rate), variant.playlist])
  return `${['#EXTM3U', '#EXT-X-VERSION:6', '#EXT-X-INDEPENDENT-SEGMENTS', ...streams].join('\n')}\n`
}

function streamInfo({ level, segments, targetSeconds, codecs }: Variant, rate: Fraction): string {
  const { peak, average } = bandwidthOf(segments, targetSeconds)
  const attributes = [
    `BANDWIDTH=${peak}`,
    `AVERAGE-BANDWIDTH=${average}`,
    `CODECS="${codecs}"`,
    `RESOLUTION=${level.width}x${level.height}`,
    `FRAME-RATE=${ratioOf(rate).toFixed(3)}`,
  ]
  return `#EXT-X-STREAM-INF:${attributes.join(',')}`
}

interface Bandwidth {
  peak: number
  average: number
}

interface Piece {
  seconds: number
  bytes: number
}

/**
 * In bits per second, rounded up. The peak is that of RFC 8216: the highest rate of any run of segments that together
 * last between half and one and a half target durations, so that a last segment of one frame does not count alone.
 */
export function bandwidthOf(segments: readonly Piece[], targetSeconds: number): Bandwidth {
  const rates = segments.flatMap((_, from) =>
    ratesFrom(segments.slice(from, from + longestRun), targetSeconds),
  )
  const average = rateOf(sumOf(segments))
  return { peak: Math.ceil(Math.max(average, ...rates)), average: Math.ceil(average) }
}

/** ffmpeg cuts at every target duration, so that only the last segment is shorter than half of it. */
const longestRun = 3

function ratesFrom(run: readonly Piece[], targetSeconds: number): number[] {
  return run.flatMap((_, index) => {
    const total = sumOf(run.slice(0, index + 1))
    const isCounted = total.seconds >= targetSeconds / 2 && total.seconds <= targetSeconds * 1.5
    return isCounted ? [rateOf(total)] : []
  })
}

const sumOf = (pieces: readonly Piece[]): Piece =>
  pieces.reduce(
    (total, piece) => ({ seconds: total.seconds + piece.seconds, bytes: total.bytes + piece.bytes }),
    { seconds: 0, bytes: 0 },
  )

const rateOf = ({ seconds, bytes }: Piece): number => (bytes * 8) / seconds
