import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createPipeline, type MediaReports, type Pipeline } from '@atrium/functions'
import { usingKey } from '@atrium/program'
import { NoWorkerYet } from '../adapters/bullmq/no-worker-yet.ts'
import { openScratchFolder } from '../adapters/disk/scratch-folder.ts'
import { FfmpegMissing, TranscodeFailed } from '../adapters/ffmpeg/failures.ts'
import { createInProcessTranscoder } from '../adapters/ffmpeg/in-process-transcoder.ts'
import { createFfmpegRunner } from '../adapters/ffmpeg/runner.ts'
import type { Config } from '../config/config.ts'
import { AppError } from '../kernel/app-error.ts'
import type { MediaDeps } from '../modules/media/index.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { Transcoder } from '../ports/transcoder.ts'
import { type Objects, type ObjectsContext, openObjects } from './objects.ts'

export interface VideoContext extends ObjectsContext {
  /** What becomes of a job is told here. */
  reports: MediaReports
  onBackgroundError(error: unknown): void
}

/** Where videos are stored, and who transcodes them. */
export interface VideoParts
  extends Pick<MediaDeps, 'blobs' | 'submitOriginal' | 'cancelJob' | 'isJobLost' | 'explain'>,
    Pick<Objects, 'handleObjects'> {
  close(): Promise<void>
}

const videoOff: VideoParts = {
  blobs: undefined,
  submitOriginal: undefined,
  cancelJob: async () => undefined,
  isJobLost: async () => false,
  explain: () => undefined,
  handleObjects: undefined,
  close: async () => undefined,
}

/** Chooses who transcodes: MediaConvert, workers that share our Redis, or ffmpeg in this process. */
export async function openVideo(config: Config, context: VideoContext): Promise<VideoParts> {
  // V1: several instances without an object store have nowhere to put videos; everything else works.
  if (!config.objectStore && config.horizontalScaling) return videoOff
  const objects = await openObjects(config, context)
  const transcoding =
    config.video.mediaConvert && config.objectStore
      ? await openMediaConvert(config.video, config.video.mediaConvert, config.objectStore)
      : await openTranscoding(config, context, objects.forJobs)
  return {
    ...transcoding,
    blobs: objects.blobs,
    handleObjects: objects.handleObjects,
    async close() {
      await transcoding.close()
      await objects.close()
    },
  }
}

type Transcoding = Pick<VideoParts, 'submitOriginal' | 'cancelJob' | 'isJobLost' | 'explain' | 'close'>

/**
 * The bucket's events call the functions, which submit jobs and report to our internal routes. All that we do ourselves
 * is to stop jobs whose video was deleted or is transcoded again.
 */
async function openMediaConvert(
  { bucket }: Config['video'],
  mediaConvert: NonNullable<Config['video']['mediaConvert']>,
  { region, accessKeyId, secretAccessKey }: NonNullable<Config['objectStore']>,
): Promise<Transcoding> {
  // Loaded only where it is used: this SDK takes long to load.
  const { createMediaConvert } = await import('@atrium/functions/mediaconvert')
  const client = { region, credentials: { accessKeyId, secretAccessKey } }
  const { cancel } = createMediaConvert({ bucket, ...mediaConvert, client })
  return { ...videoOff, cancelJob: cancel }
}

async function openTranscoding(
  config: Config,
  context: VideoContext,
  blobs: BlobStore,
): Promise<Transcoding> {
  const { redisUrl } = config
  const { clock, logger, reports } = context
  const open = redisUrl
    ? await openQueue(redisUrl, context)
    : await openFfmpeg(config, context, blobs, () => pipeline)
  const pipeline: Pipeline = createPipeline({
    transcoder: open.transcoder,
    media: reports,
    isGone: (error) => error instanceof AppError && error.code === 'VIDEO_NOT_FOUND',
    now: clock.now,
    wait: (ms) => delay(ms),
    log: logger,
  })
  return {
    submitOriginal: ({ videoId, storageKey, attempt }) =>
      pipeline.submit({ videoId, storageKey, writing: String(attempt) }),
    cancelJob: (jobId) => open.transcoder.cancel(jobId),
    isJobLost: open.isLost,
    explain: (error) =>
      error instanceof FfmpegMissing || error instanceof NoWorkerYet || error instanceof TranscodeFailed
        ? error.message
        : undefined,
    close: open.close,
  }
}

interface OpenTranscoder {
  transcoder: Transcoder
  isLost(jobId: string): Promise<boolean>
  close(): Promise<void>
}

async function openQueue(redisUrl: string, { onBackgroundError }: VideoContext): Promise<OpenTranscoder> {
  // BullMQ has three hundred modules, which a server without a queue need not read at its start.
  const { createQueueTranscoder } = await import('../adapters/bullmq/queue-transcoder.ts')
  const transcoder = createQueueTranscoder({ redisUrl, onError: onBackgroundError })
  return { transcoder, isLost: transcoder.isLost, close: transcoder.close }
}

async function openFfmpeg(
  { dataDir, video }: Config,
  { clock, logger, onBackgroundError }: VideoContext,
  blobs: BlobStore,
  pipeline: () => Pipeline,
): Promise<OpenTranscoder> {
  const warn = (facts: Record<string, unknown>, message: string) => logger.warn(facts, message)
  const scratch = await usingKey('DATA_DIR', () => openScratchFolder(join(dataDir, 'transcoding')))
  const runner = createFfmpegRunner({
    store: blobs,
    bucket: video.bucket,
    workFolder: scratch.path,
    ffmpegPath: video.ffmpeg.path,
    ffprobePath: video.ffmpeg.probePath,
    searchPath: process.env.PATH ?? '',
    encoder: { preset: video.ffmpeg.preset },
    warn,
  })
  const missing = await runner.missing()
  if (missing !== undefined) warn({}, missing)
  const transcoder = createInProcessTranscoder({
    runner,
    jobsAtOnce: 1,
    clock,
    warn,
    onEnded: (job) => pipeline().jobEnded(job),
    onProgress: ({ videoId, ...report }) =>
      void pipeline().progressed(videoId, report).catch(onBackgroundError),
  })
  return {
    transcoder,
    isLost: async (jobId) => !transcoder.has(jobId),
    async close() {
      await transcoder.stop()
      await scratch.close()
    },
  }
}
