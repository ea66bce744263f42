import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { QualityLevel } from '@atrium/contract'
import { UnusableSource } from '../../../ports/transcoder.ts'
import { type JobSpace, outputBytes } from '../disk-space.ts'
import { TranscodeFailed } from '../failures.ts'
import { readVariant, secondsOf, type Variant } from '../output/variant.ts'
import { progressReader } from '../programs/progress.ts'
import type { Ended } from '../programs/run-program.ts'
import type { Tools } from '../programs/tools.ts'
import type { ProbedVideo } from '../source/probed-video.ts'
import { incomplete, isCut, isTruncated, latestEndMs, longerThanPromised } from '../source/truncation.ts'
import { type EncoderSettings, ladderArguments } from './ladder-command.ts'

/** What every step of a job works with. */
export interface JobContext {
  tools: Tools
  folder: string
  signal: AbortSignal
  space: JobSpace
  /** Something has moved. */
  touch(): void
}

export interface EncodeOptions {
  settings: EncoderSettings
  onProgress(share: number): void
  warn(facts: Record<string, unknown>, message: string): void
}

/** About every half a minute: a long video has thousands of segments to look at. */
const reportsPerLook = 60

/**
 * Processor time by the length of the video. Estimated: for each second of 4K at 60 frames, a slow machine takes about 20 s, and 70
 * with the slowest preset. 30 bytes are enough for a frame that shows nothing new, so that a small video can hold
 * thousands of them in a second.
 */
const cpuSeconds = { atLeast: 600, perSecond: 100 }
const encodingCpuSeconds = (probed: Pick<ProbedVideo, 'durationMs'>): number =>
  cpuSeconds.atLeast + Math.ceil((latestEndMs(probed) / 1000) * cpuSeconds.perSecond)
/**
 * Of ffmpeg, when it was told to end, once or several times. We kill it, so that only the limit of processor time tells
 * it.
 */
const toldToEnd = [255, 123]

/** Turns the source in the folder into playlists and segments beside it. */
export async function encodeLadder(
  { tools, folder, signal, space, touch }: JobContext,
  probed: ProbedVideo,
  ladder: readonly QualityLevel[],
  { settings, onProgress, warn }: EncodeOptions,
): Promise<Variant[]> {
  const ending = new AbortController()
  const end = (reason: unknown) => ending.abort(reason)
  const progress = progressReader()
  let moved = ''
  let reports = 0
  const onLine = (line: string) => {
    progress.read(line)
    if (!line.startsWith('progress=')) return // The last line of a report.
    if (++reports % reportsPerLook === 0) void assertOutputSize(folder, probed, ladder).catch(end)
    const { frames, outMs } = progress.latest()
    if (moved === `${frames} ${outMs}`) return
    moved = `${frames} ${outMs}`
    touch()
    onProgress(Math.min(outMs / probed.durationMs, 1))
    void space.check().catch(end)
  }
  const args = ladderArguments(probed, ladder, settings)
  const ended = await tools.ffmpeg(args, {
    folder,
    signal: AbortSignal.any([signal, ending.signal]),
    onLine,
    cpuSeconds: encodingCpuSeconds(probed),
  })
  if (ended.code !== 0) throw failureOf(ended, warn)
  const variants = await Promise.all(ladder.map((level) => readVariant(folder, level)))
  const lengthsMs = variants.map((variant) => secondsOf(variant) * 1000)
  if (lengthsMs.some((ms) => isTruncated(probed, ms))) throw new UnusableSource(incomplete)
  if (lengthsMs.some((ms) => isCut(probed, ms))) throw new UnusableSource(longerThanPromised)
  await assertOutputSize(folder, probed, ladder)
  return variants
}

function failureOf({ code, errors }: Ended, warn: EncodeOptions['warn']): Error {
  warn({ code, errors }, 'ffmpeg failed')
  if (errors.includes('No space left on device'))
    return new TranscodeFailed('The disk of the server is full. Please tell an administrator.')
  if (code !== null && toldToEnd.includes(code))
    return new UnusableSource(
      'This video takes far more work than others of its length. It is probably damaged: please export it again as MP4 (H.264) and upload it.',
    )
  if (code === null)
    return new TranscodeFailed('ffmpeg was killed, perhaps because the server ran out of memory.')
  return new UnusableSource(
    'This video could not be transcoded. It may be damaged: please export it again as MP4 (H.264) and upload it.',
  )
}

/** Bit rates are constant, so that an honest video stays well below. */
const tolerance = 1.5

/**
 * Rejects if the segments in the folder are larger than those of any video of this length can be. ffmpeg begins its filters
 * anew when sound changes within a video; one that does it thousands of times could make hours of silence out of seconds.
 */
async function assertOutputSize(
  folder: string,
  probed: ProbedVideo,
  ladder: readonly QualityLevel[],
): Promise<void> {
  const names = (await readdir(folder)).filter((name) => extname(name) === '.ts')
  let bytes = 0
  for (const name of names) bytes += (await stat(join(folder, name))).size
  if (bytes > outputBytes(latestEndMs(probed), ladder) * tolerance)
    throw new UnusableSource(
      'This video becomes far longer than it says when it is transcoded. It is probably damaged. Please export it again as MP4 (H.264) and upload it.',
    )
}
