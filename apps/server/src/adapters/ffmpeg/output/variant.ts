import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { QualityLevel } from '@atrium/contract'
import { TranscodeFailed } from '../failures.ts'
import { variantName } from '../ladder/file-names.ts'

interface Segment {
  name: string
  seconds: number
  bytes: number
}

/** One level as ffmpeg has written it. */
export interface Variant {
  level: QualityLevel
  playlist: string
  targetSeconds: number
  segments: readonly Segment[]
  /** RFC 6381, of the stream itself. */
  codecs: string
}

export async function readVariant(folder: string, level: QualityLevel): Promise<Variant> {
  const playlist = variantName(level.name)
  const listed = parseVariant(await readFile(join(folder, playlist), 'utf8').catch(() => ''))
  const [first] = listed.segments
  if (first === undefined) throw new TranscodeFailed('ffmpeg has written no segments.')
  const segments = await Promise.all(
    listed.segments.map(async (segment) => ({
      ...segment,
      bytes: (await stat(join(folder, segment.name))).size,
    })),
  )
  const { targetSeconds } = listed
  return { level, playlist, targetSeconds, segments, codecs: await readCodecs(join(folder, first.name)) }
}

/** The durations are ffmpeg's own: computed ones would drift from the time stamps in the segments. */
export function parseVariant(text: string): {
  targetSeconds: number
  segments: { name: string; seconds: number }[]
} {
  const lines = text.split('\n')
  const target = lines.find((line) => line.startsWith('#EXT-X-TARGETDURATION:'))
  const segments = lines.flatMap((line, index) => {
    const seconds = /^#EXTINF:([\d.]+),/.exec(lines[index - 1] ?? '')?.[1]
    return seconds === undefined ? [] : [{ name: line, seconds: Number(seconds) }]
  })
  return { targetSeconds: Number(target?.split(':')[1] ?? 0), segments }
}

/** The first packets of a segment hold the sequence parameter set; a few of sound may come before. */
const spsWithinBytes = 64 * 1024
/** Of AAC-LC, the only profile that ffmpeg's own encoder writes. */
const audioCodec = 'mp4a.40.2'

async function readCodecs(path: string): Promise<string> {
  const handle = await open(path)
  try {
    const { buffer } = await handle.read(Buffer.alloc(spsWithinBytes), 0, spsWithinBytes, 0)
    return `${videoCodecIn(buffer)},${audioCodec}`
  } finally {
    await handle.close()
  }
}

/** Profile, constraints and level are the three bytes after the head of the sequence parameter set. */
export function videoCodecIn(bytes: Buffer): string {
  const at = bytes.indexOf(Buffer.from([0, 0, 1, 0x67]))
  if (at < 0) throw new TranscodeFailed('ffmpeg has written a segment without a sequence parameter set.')
  return `avc1.${bytes.subarray(at + 4, at + 7).toString('hex')}`
}

export const secondsOf = ({ segments }: Variant): number =>
  segments.reduce((total, { seconds }) => total + seconds, 0)
