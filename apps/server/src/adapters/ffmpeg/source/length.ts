import { sourceName, untrusted } from '../programs/demuxers.ts'
import { progressReader } from '../programs/progress.ts'
import type { Tools } from '../programs/tools.ts'
import type { ProbedVideo, ReportedVideo } from './probed-video.ts'
import { type InspectOptions, type SourceFile, WholeFileNeeded } from './source-file.ts'
import { saysLength } from './truncation.ts'

const oneFrameMs = 40

/**
 * A video whose length is known: from its header, or else measured. What a header says of one stream counts only within
 * the video: it decides how much silence and how many still pictures are made up.
 */
export async function withLength(
  tools: Tools,
  file: SourceFile,
  { durationMs, ...probed }: ReportedVideo,
  options: InspectOptions,
): Promise<ProbedVideo> {
  if (durationMs !== null && (saysLength(probed) || !file.isWhole))
    return withinLength({ ...probed, durationMs })
  if (!file.isWhole) throw new WholeFileNeeded()
  const videoMs = await measuredMs(tools, file, probed.video.index, options)
  const audioMs = probed.audio && (await measuredMs(tools, file, probed.audio.index, options))
  return {
    ...probed,
    durationMs: Math.max(videoMs, audioMs ?? 0, oneFrameMs),
    video: { ...probed.video, durationMs: videoMs || null },
    audio: probed.audio && { ...probed.audio, durationMs: audioMs || null },
  }
}

function withinLength(probed: ProbedVideo): ProbedVideo {
  const bounded = (ms: number | null) => ms && Math.min(ms, probed.durationMs)
  const { video, audio } = probed
  return {
    ...probed,
    video: { ...video, durationMs: bounded(video.durationMs) },
    audio: audio && { ...audio, durationMs: bounded(audio.durationMs) },
  }
}

/**
 * When the last packet of a stream ends, found by reading all of them without decoding. ffmpeg, and not ffprobe: where
 * time stamps begin anew within a video, as in recordings that were joined, it continues them as it does when it encodes.
 */
async function measuredMs(
  tools: Tools,
  { folder }: SourceFile,
  index: number,
  { signal, touch }: InspectOptions,
): Promise<number> {
  const progress = progressReader()
  const quiet = ['-nostdin', '-hide_banner', '-v', 'error', '-progress', 'pipe:1']
  const copy = ['-map', `0:${index}`, '-c', 'copy', '-f', 'null', '-']
  await tools.ffmpeg([...quiet, ...untrusted(sourceName), ...copy], {
    folder,
    signal,
    onLine(line) {
      progress.read(line)
      touch()
    },
  })
  return Math.round(progress.latest().outMs)
}
