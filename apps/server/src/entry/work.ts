import { createFfmpegRunner } from '../adapters/ffmpeg/runner.ts'
import { createS3Blobs } from '../adapters/s3/s3-blobs.ts'
import { runWorker } from '../compose/worker.ts'

await runWorker(async ({ config, folder, logger }) =>
  createFfmpegRunner({
    store: createS3Blobs({ ...config.objectStore, bucket: config.bucket }),
    bucket: config.bucket,
    workFolder: folder,
    ffmpegPath: config.ffmpeg.path,
    ffprobePath: config.ffmpeg.probePath,
    searchPath: process.env.PATH ?? '',
    encoder: { preset: config.ffmpeg.preset },
    warn: (facts, message) => logger.warn(facts, message),
  }),
)
