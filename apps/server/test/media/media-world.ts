import type { AddressInfo } from 'node:net'
import { objectKeys, uploadRoutes, type VideoRecord, videoRoutes } from '@atrium/contract'
import {
  type Api,
  createApi,
  createResearcher,
  createTemporaryFolder,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import type { StoredVideo } from '../../src/modules/media/index.ts'
import { createMemoryBlobs } from './memory-blobs.ts'

const internalKey = 'the key of the functions'

type Researcher = Awaited<ReturnType<typeof createResearcher>>

export interface MediaStage {
  api: Api
  http: string
  memory: ReturnType<typeof createMemoryBlobs>
  ada: Researcher
  bob: Researcher
  admin: string
  /** Originals that the server has handed to the transcoder. */
  submitted: StoredVideo[]
  cancelled: string[]
  /** How the transcoder refuses the next originals; undefined: all is well. */
  refusal: { error: Error | undefined }
}

/** One server in this process on an object store in memory, for all tests of a file. */
export function mediaStage(env: Record<string, string> = {}): () => MediaStage {
  let stage: MediaStage | undefined
  let stop = async (): Promise<void> => undefined
  beforeAll(async () => {
    const folder = createTemporaryFolder('media')
    const config = { DATA_DIR: folder.path, INTERNAL_API_KEY: internalKey, TRUST_PROXY: 'true', ...env }
    const memory = createMemoryBlobs()
    const submitted: StoredVideo[] = []
    const cancelled: string[] = []
    const refusal: MediaStage['refusal'] = { error: undefined }
    const app = await buildApp(readConfig(config, 'here'), pino({ level: 'silent' }), async () => ({
      blobs: memory.blobs,
      async submitOriginal({ videoId, storageKey, attempt }) {
        if (refusal.error) throw refusal.error
        submitted.push({ videoId, storageKey, attempt })
      },
      cancelJob: async (jobId) => void cancelled.push(jobId),
      isJobLost: async () => false,
      explain: (error) => (error instanceof Error ? error.message : undefined),
      handleObjects: undefined,
      close: async () => undefined,
    }))
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const http = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
    stop = async () => {
      await app.close()
      folder.remove()
    }
    const api = createApi(http)
    const [ada, bob] = [await createResearcher(api), await createResearcher(api)]
    const admin = await api.token('media-admin', ['admin'])
    stage = { api, http, memory, ada, bob, admin, submitted, cancelled, refusal }
  })
  afterAll(() => stop())
  return () => {
    if (!stage) throw new Error('the stage is set in beforeAll: use it inside tests and hooks')
    return stage
  }
}

export async function readVideo({ api }: MediaStage, token: string, videoId: string): Promise<VideoRecord> {
  return succeeded(await api.call(videoRoutes.read, { token, params: { videoId } }))
}

/** Uploads a small file in one request. */
export async function uploadFile(stage: MediaStage, token: string, filename = 'film.mp4', text = 'a video') {
  const form = new FormData()
  form.set('file', new Blob([text], { type: 'video/mp4' }), filename)
  return await sendForm(stage, token, form)
}

export async function sendForm(
  { http }: MediaStage,
  token: string,
  body: FormData | string,
  more: object = {},
) {
  const headers = { authorization: `Bearer ${token}`, 'user-agent': 'atrium-test/1.0', ...more }
  const response = await fetch(http + uploadRoutes.direct.path, { method: 'POST', headers, body })
  const answer = (await response.json()) as Record<string, unknown>
  return {
    status: response.status,
    body: answer as { videoId: string; key: string; code: string; error: string },
  }
}

/** Waits until a video has been submitted so many times. */
export const submittedTimes = (stage: MediaStage, videoId: string, times: number): Promise<unknown> =>
  waitUntil(() => {
    const count = stage.submitted.filter((video) => video.videoId === videoId).length
    return count === times || `submitted ${count} times`
  })

/** Calls an internal route as a function would. */
export async function report(
  { http }: MediaStage,
  videoId: string,
  what: 'submitted' | 'progress' | 'complete',
  body: object,
) {
  const response = await fetch(`${http}/api/internal/videos/${videoId}/hls-${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-internal-key': internalKey },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as { code?: string } }
}

/** A video with output, as after its transcoding. */
export async function readyVideo(stage: MediaStage, token: string): Promise<string> {
  const { videoId } = (await uploadFile(stage, token)).body
  const { memory } = stage
  memory.store(objectKeys.manifest(videoId), '#EXTM3U\n')
  memory.store(objectKeys.poster(videoId), 'a picture')
  memory.store(`${objectKeys.hlsPrefix(videoId)}master_360p_00001.ts`, '0123456789')
  const job = { jobId: `job-${videoId}`, durationMs: 6_000, width: 640, height: 360, levels: ['360p'] }
  await report(stage, videoId, 'submitted', job)
  await report(stage, videoId, 'complete', {
    status: 'ready',
    jobId: job.jobId,
    hlsManifestKey: objectKeys.manifest(videoId),
  })
  return videoId
}
