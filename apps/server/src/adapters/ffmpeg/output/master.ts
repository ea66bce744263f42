import { type Fraction, ratioOf } from '../source/fraction.ts'
import { bandwidthOf } from './bandwidth.ts'
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
