import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { UnusableSource } from '../../../ports/transcoder.ts'
import { sourceName, untrusted } from '../programs/demuxers.ts'
import { progressReader } from '../programs/progress.ts'
import type { Tools } from '../programs/tools.ts'
import { withLength } from './length.ts'
import { type ProbedVideo, probedFrom } from './probed-video.ts'
import { parseReport, reportArguments } from './report.ts'
import { type InspectOptions, type SourceFile, WholeFileNeeded } from './source-file.ts'
import { incomplete, isTruncated, promisedMs } from './truncation.ts'

/**
 * Below 1 kbit/s nothing moves: even a black picture without sound takes more. A file that claims to be long and holds
 * next to nothing would keep four encoders busy for hours.
 */
const minBytesPerSecond = 125
/** Everything that a job takes grows with it: at 1080p, twelve hours make 62 GB. */
const longestMs = 12 * 3_600_000
const tailMs = 5_000
/** Packets come in the order of decoding, so that the last one is not always the last one shown. */
const maxReordered = 32

const unreadable =
  'This file cannot be read as a video. It may be damaged, or of a kind that is not supported. Please export it as MP4 (H.264) and upload it again.'

/** Rejects with UnusableSource, in words for the researcher. */
export async function inspectSource(
  tools: Tools,
  file: SourceFile,
  { signal, touch }: InspectOptions,
): Promise<ProbedVideo> {
  if (file.size === 0) throw new UnusableSource('This file is empty.')
  const head = await readHead(file)
  const refusal = refusalByHead(head)
  if (refusal !== undefined) throw new UnusableSource(refusal)
  // Each fragment has a header of its own, and only all of them together tell the length.
  if (!file.isWhole && isMp4(head) && head.includes('mvex')) throw new WholeFileNeeded()
  const options = { folder: file.folder, signal }
  const probed = await tools.ffprobe([...reportArguments, ...untrusted(sourceName)], options)
  const report = probed.code === 0 ? parseReport(probed.output) : undefined
  // What begins as an MP4 and does not go on as one has nearly always lost its end, where the index is.
  if (report === undefined) throw new UnusableSource(isMp4(head) ? incomplete : unreadable)
  const inspected = await withLength(tools, file, probedFrom(report), { signal, touch })
  refuseImplausible(inspected, file.size)
  await decodeFirstFrame(tools, inspected, options)
  await findLastPackets(tools, inspected, options)
  return inspected
}

async function readHead({ folder }: SourceFile): Promise<Buffer> {
  const handle = await open(join(folder, sourceName))
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

const isMp4 = (head: Buffer): boolean => head.toString('latin1', 4, 8) === 'ftyp'

const quiet = ['-nostdin', '-hide_banner', '-v', 'error', '-progress', 'pipe:1']

function refuseImplausible({ durationMs }: ProbedVideo, bytes: number): void {
  const seconds = durationMs / 1000
  if (bytes < seconds * minBytesPerSecond)
    throw new UnusableSource(
      `This file says that it is ${inWords(seconds)} long, but holds far too little for that. It is probably damaged. Please export the video again and upload it.`,
    )
  if (durationMs > longestMs)
    throw new UnusableSource(
      `This video is ${inWords(seconds)} long. Please upload it in parts of at most ${inWords(longestMs / 1000)}.`,
    )
}

const inWords = (seconds: number): string =>
  seconds >= 3_600
    ? `${Math.round(seconds / 3_600)} hours`
    : seconds >= 120
      ? `${Math.round(seconds / 60)} minutes`
      : `${Math.round(seconds)} seconds`

/** Says early, and for certain, whether there are pictures that can be decoded. */
async function decodeFirstFrame(
  tools: Tools,
  { video }: ProbedVideo,
  options: { folder: string; signal: AbortSignal },
): Promise<void> {
  const progress = progressReader()
  const oneFrame = ['-map', `0:${video.index}`, '-frames:v', '1', '-f', 'null', '-']
  await tools.ffmpeg([...quiet, '-t', '60', ...untrusted(sourceName), ...oneFrame], {
    ...options,
    onLine: progress.read,
  })
  if (progress.latest().frames === 0)
    throw new UnusableSource(
      'No picture in this file can be decoded. It may be damaged, or of a kind that is not supported. Please export it as MP4 (H.264) and upload it again.',
    )
}

/**
 * The header of a truncated MP4 still promises everything if it stands at the beginning. Its index leads to the last
 * packets, or beyond the end of the file. Of other containers the length of the output tells.
 */
async function findLastPackets(
  tools: Tools,
  inspected: ProbedVideo,
  options: { folder: string; signal: AbortSignal },
): Promise<void> {
  if (!inspected.container.startsWith('mov')) return
  const from = Math.max(0, promisedMs(inspected) - tailMs) / 1000
  const stream = [
    '-select_streams',
    String(inspected.video.index),
    '-show_entries',
    'packet=pts_time',
    '-of',
    'csv=p=0',
  ]
  const args = ['-v', 'error', ...stream, '-read_intervals', `${from}%`, ...untrusted(sourceName)]
  const { code, output } = await tools.ffprobe(args, options)
  // It was killed if it wrote too much: where key frames are rare, the last one may be far from the end.
  if (code === null) return
  const times = output.split('\n').map(Number.parseFloat).filter(Number.isFinite)
  if (isTruncated(inspected, Math.max(0, ...times.slice(-maxReordered)) * 1000))
    throw new UnusableSource(incomplete)
}

/** Files that are sometimes uploaded as videos, told apart by their first bytes. */
type FileKind = 'picture' | 'playlist' | 'sound' | 'document'

/** Enough for these, and for the header of an MP4 in fragments. */
const headBytes = 64 * 1024

const magics: { kind: FileKind; at: number; pattern: RegExp }[] = [
  { kind: 'picture', at: 0, pattern: /^(\xff\xd8\xff|\x89PNG|GIF8|BM|II\*\0|MM\0\*|8BPS)/ },
  { kind: 'picture', at: 0, pattern: /^RIFF....WEBP/s },
  { kind: 'picture', at: 4, pattern: /^ftyp(heic|heix|hevc|heim|heis|mif1|msf1|avif|avis)/ },
  { kind: 'playlist', at: 0, pattern: /^(\xef\xbb\xbf)?\s*(#EXTM3U|ffconcat|\[playlist\]|<\?xml|<MPD)/i },
  {
    kind: 'sound',
    at: 0,
    pattern: /^(ID3|fLaC|#!AMR|MThd|FORM....AIF|RIFF....WAVE|\xff[\xf1\xf9\xfa\xfb])/s,
  },
  { kind: 'document', at: 0, pattern: /^(%PDF|PK[^ -~]{2}|\{\\rtf|<!doctype|<html)/i },
]

const sentences: Record<FileKind, string> = {
  picture: 'This file is a picture, not a video. Please upload a video file, for example an MP4.',
  playlist:
    'This file is a playlist, which only lists other files. Please upload the video itself, for example an MP4.',
  sound: 'This file has sound but no picture. Please upload a video file, for example an MP4.',
  document:
    'This file is a document or an archive, not a video. Please upload a video file, for example an MP4.',
}

/** Why the file cannot be a video, if its first bytes say so already. */
function refusalByHead(head: Buffer): string | undefined {
  const text = head.toString('latin1')
  const found = magics.find(({ at, pattern }) => pattern.test(text.slice(at)))
  return found && sentences[found.kind]
}
