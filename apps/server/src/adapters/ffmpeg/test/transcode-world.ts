import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type LevelName, levelsFor, objectKeys } from '@atrium/contract'
import { createTemporaryFolder, makeTinyVideo, type TinyVideo } from '@atrium/testkit'
import { createFfmpegRunner, type RunnerDeps } from '../runner.ts'
import { createMemoryObjects } from './memory-objects.ts'

/** A runner on real ffmpeg, with objects in memory. */
export async function openTranscodeWorld(given: Partial<RunnerDeps> = {}) {
  const temporary = createTemporaryFolder('transcoding')
  const workFolder = join(temporary.path, 'work')
  await mkdir(workFolder)
  const objects = createMemoryObjects()
  const warnings: string[] = []
  const runner = createFfmpegRunner({
    store: objects,
    bucket: 'films',
    workFolder,
    encoder: { preset: 'ultrafast', threads: 2 },
    stallMs: 120_000,
    searchPath: process.env.PATH ?? '',
    warn: (_, message) => void warnings.push(message),
    ...given,
  })
  let videos = 0

  /** Stores bytes as the original of a new video. */
  async function upload(bytes: Buffer) {
    const videoId = `v${++videos}`
    const storageKey = objectKeys.original(videoId, 'film.mp4')
    await objects.put(storageKey, bytes, { size: bytes.length, contentType: 'video/mp4' })
    return { videoId, storageKey }
  }

  async function uploadTiny(video: TinyVideo) {
    const path = await makeTinyVideo(temporary.path, `made-${videos + 1}`, video)
    return await upload(await readFile(path))
  }

  const live = () => new AbortController().signal

  async function transcode(
    uploaded: { videoId: string; storageKey: string },
    { signal = live(), onProgress = () => undefined, levels }: Partial<TranscodeOptions> = {},
  ) {
    const source = await runner.probe(uploaded.storageKey, live())
    const names = levels ?? levelsFor(source.height).map(({ name }) => name)
    const job = { ...uploaded, source, levels: names, requestToken: 'token' }
    return { source, groups: await runner.runJob(job, { signal, onProgress }) }
  }

  return {
    folder: temporary.path,
    objects,
    runner,
    warnings,
    upload,
    uploadTiny,
    probe: (storageKey: string) => runner.probe(storageKey, live()),
    transcode,
    /** What jobs have left in the work folder. */
    leftovers: () => readdir(workFolder),
    keysOf: (videoId: string) => objects.list(objectKeys.hlsPrefix(videoId)),
    close: () => temporary.remove(),
  }
}

interface TranscodeOptions {
  signal: AbortSignal
  onProgress(progress: number): void
  levels: LevelName[]
}

export type TranscodeWorld = Awaited<ReturnType<typeof openTranscodeWorld>>
