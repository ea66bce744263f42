import { sourceName, untrusted } from '../programs/demuxers.ts'
import { progressReader } from '../programs/progress.ts'
import type { Tools } from '../programs/tools.ts'
import type { Film, ReportedFilm } from './film.ts'
import { type InspectOptions, type SourceFile, WholeFileNeeded } from './source-file.ts'
import { saysLength } from './truncation.ts'

const oneFrameMs = 40

/**
 * A film whose length is known: from its header, or else measured. What a header says of one stream counts only within
 * the film: it decides how much silence and how many still pictures are made up.
 */
export async function withLength(
  tools: Tools,
  file: SourceFile,
  { durationMs, ...film }: ReportedFilm,
  options: InspectOptions,
): Promise<Film> {
  if (durationMs !== null && (saysLength(film) || !file.isWhole)) return withinLength({ ...film, durationMs })
  if (!file.isWhole) throw new WholeFileNeeded()
  const videoMs = await measuredMs(tools, file, film.video.index, options)
  const audioMs = film.audio && (await measuredMs(tools, file, film.audio.index, options))
  return {
    ...film,
    durationMs: Math.max(videoMs, audioMs ?? 0, oneFrameMs),
    video: { ...film.video, durationMs: videoMs || null },
    audio: film.audio && { ...film.audio, durationMs: audioMs || null },
  }
}

function withinLength(film: Film): Film {
  const bounded = (ms: number | null) => ms && Math.min(ms, film.durationMs)
  const { video, audio } = film
  return {
    ...film,
    video: { ...video, durationMs: bounded(video.durationMs) },
    audio: audio && { ...audio, durationMs: bounded(audio.durationMs) },
  }
}

/**
 * When the last packet of a stream ends, found by reading all of them without decoding. ffmpeg, and not ffprobe: where
 * time stamps begin anew within a film, as in recordings that were joined, it continues them as it does when it encodes.
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
