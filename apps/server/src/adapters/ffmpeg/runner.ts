import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Source, type TranscodeJob, UnusableSource } from '../../ports/transcoder.ts'
import { createDiskSpace, freeBytes } from './disk-space.ts'
import { FfmpegMissing } from './failures.ts'
import type { JobContext } from './ladder/encode.ts'
import type { EncoderSettings } from './ladder/ladder-command.ts'
import type { ObjectAccess } from './object-access.ts'
import type { OutputGroup } from './output/output-group.ts'
import { areToolsThere, createToolFinder, type ToolsDeps } from './programs/tools.ts'
import { downloadEdges, downloadWhole, sizeOfOriginal, wholeUpToBytes } from './source/download.ts'
import { inspectSource } from './source/inspect.ts'
import type { ProbedVideo } from './source/probed-video.ts'
import { type SourceFile, WholeFileNeeded } from './source/source-file.ts'
import { createProbeStalls, startStallWatch } from './stalls.ts'
import { transcodeVideo } from './transcode-video.ts'

export interface RunnerDeps extends ToolsDeps {
  store: ObjectAccess
  /** For the paths in reports. */
  bucket: string
  /** For the folders of jobs, of this process alone; each takes as much as the original and its output. */
  workFolder: string
  encoder?: Partial<EncoderSettings>
  /** A job in which nothing moves for so long is stopped; unset = 5 minutes. */
  stallMs?: number
  /** Of the disk of a folder; the real one unless a test says otherwise. */
  freeBytes?(folder: string): Promise<number>
}

interface RunOptions {
  /** Aborted when the job is superseded or the worker stops. The run then rejects soon and leaves nothing behind. */
  signal: AbortSignal
  /** From 0 to 1. */
  onProgress(progress: number): void
}

export interface FfmpegRunner {
  /** Rejects with UnusableSource, or with FfmpegMissing. */
  probe(storageKey: string, signal: AbortSignal): Promise<Source>
  /** Downloads, transcodes and publishes. Rejects like `probe`, and with TranscodeFailed. */
  runJob(job: TranscodeJob, options: RunOptions): Promise<OutputGroup[]>
  /** Which program is missing; undefined if both are there. A job finds out whether they can be used. */
  missing(): Promise<string | undefined>
}

/** veryfast looks nearly as good as the presets that cost several times as much, and bit rates are fixed anyway. */
const usualEncoder: EncoderSettings = { preset: 'veryfast', threads: Math.min(availableParallelism(), 8) }
/** Long enough for a machine that is busy with other things. */
const usualStallMs = 300_000

export function createFfmpegRunner(deps: RunnerDeps): FfmpegRunner {
  const { store, workFolder } = deps
  const findTools = createToolFinder(deps)
  const stalls = createProbeStalls()
  const disk = createDiskSpace(deps.freeBytes ?? freeBytes)

  /** Runs the steps of a job in a folder of its own, until the caller's signal ends them or nothing moves any more. */
  async function inJob<Result>(
    callersSignal: AbortSignal,
    act: (job: JobContext) => Promise<Result>,
  ): Promise<Result> {
    const tools = await findTools(workFolder)
    const watch = startStallWatch(deps.stallMs ?? usualStallMs)
    const signal = AbortSignal.any([callersSignal, watch.signal])
    try {
      return await inJobFolder(workFolder, async (folder) => {
        const space = disk.forJob(folder)
        return await act({ tools, folder, signal, space, touch: watch.touch }).finally(space.release)
      })
    } catch (error) {
      signal.throwIfAborted() // Its reason says more than the error of the step that it interrupted.
      throw error
    } finally {
      watch.end()
    }
  }

  async function probe(storageKey: string, signal: AbortSignal): Promise<Source> {
    const size = await sizeOfOriginal(store, storageKey)
    // A download that stands still says nothing about the video.
    let isInspecting = false
    try {
      const probed = await inJob(signal, async ({ tools, folder, signal, space, touch }) => {
        const download = { store, storageKey, folder, signal, space, size, onBytes: touch }
        const inspect = async (downloading: Promise<SourceFile>): Promise<ProbedVideo> => {
          isInspecting = false
          const file = await downloading
          isInspecting = true
          return await inspectSource(tools, file, { signal, touch })
        }
        const found =
          size > wholeUpToBytes ? await inspect(downloadEdges(download)).catch(ofEdgesOnly) : undefined
        return found ?? (await inspect(downloadWhole(download)))
      })
      stalls.passed(storageKey)
      return sourceOf(probed)
    } catch (error) {
      throw isInspecting ? stalls.judge(storageKey, error) : error
    }
  }

  const runJob = (job: TranscodeJob, { signal, onProgress }: RunOptions): Promise<OutputGroup[]> =>
    inJob(signal, (context) =>
      transcodeVideo(context, job, {
        ...deps,
        encoder: { ...usualEncoder, ...deps.encoder },
        onProgress,
      }),
    )

  return {
    probe,
    runJob,
    missing: async () =>
      await areToolsThere(deps).then(
        () => undefined,
        (error) => {
          if (error instanceof FfmpegMissing) return error.message
          throw error
        },
      ),
  }
}

/** Only the whole file can be refused: what is missing from the edges may be in between. */
function ofEdgesOnly(error: unknown): undefined {
  if (!(error instanceof UnusableSource || error instanceof WholeFileNeeded)) throw error
}

const sourceOf = ({ durationMs, video, audio }: ProbedVideo): Source => ({
  durationMs,
  ...video.size,
  hasAudio: audio !== null,
})

/** Runs `act` in a folder that nobody else can read, and removes it with everything in it. */
async function inJobFolder<Result>(
  workFolder: string,
  act: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(workFolder, 'job-'))
  try {
    return await act(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
