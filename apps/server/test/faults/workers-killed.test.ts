import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import {
  createTemporaryFolder,
  type Redis,
  type Server,
  startRedis,
  startServer,
  waitUntil,
} from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createQueueTranscoder, type QueueTranscoder } from '../../src/adapters/bullmq/queue-transcoder.ts'

const entry = fileURLToPath(new URL('./slow-worker.ts', import.meta.url))
const key = 'a-key-of-workers-and-server'

/** The server's internal routes, which remember what they are told. */
async function startBackend() {
  const told: { path: string; body: unknown }[] = []
  const server = createServer(async (request, response) => {
    const isAllowed = request.headers['x-internal-key'] === key
    const body = await json(request)
    if (isAllowed) told.push({ path: request.url ?? '', body })
    response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json' }).end('{"success":true}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const about = (videoId: string, action: string) =>
    told.filter(({ path }) => path === `/api/internal/videos/${videoId}/${action}`).map(({ body }) => body)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    progressOf: (videoId: string) => about(videoId, 'hls-progress'),
    outcomesOf: (videoId: string) => about(videoId, 'hls-complete'),
    stop: () => server.close().closeAllConnections(),
  }
}

describe('Two workers', () => {
  const folder = createTemporaryFolder('workers')
  let redis: Redis
  let backend: Awaited<ReturnType<typeof startBackend>>
  let transcoder: QueueTranscoder
  let workers: Server[] = []

  beforeAll(async () => {
    redis = await startRedis()
    backend = await startBackend()
    transcoder = createQueueTranscoder({ redisUrl: redis.url, onError: () => undefined })
    workers = await Promise.all([startWorker(), startWorker()])
  })
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    await transcoder?.close()
    backend?.stop()
    await redis?.stop()
    folder.remove()
  })

  const startWorker = () =>
    startServer({
      entry,
      args: [folder.path],
      env: {
        WORK_PORT: '0',
        WORK_DIR: join(folder.path, 'work'),
        REDIS_URL: redis.url,
        BACKEND_URL: backend.url,
        INTERNAL_API_KEY: key,
        S3_ENDPOINT: 'http://127.0.0.1:1',
        S3_ACCESS_KEY_ID: 'nobody',
        S3_SECRET_ACCESS_KEY: 'uses-it-here',
      },
    })

  /** Submits a job and resolves when a worker runs it. */
  async function begin(videoId: string) {
    const storageKey = `videos/${videoId}/original/film.mp4`
    const source = await transcoder.probe(storageKey)
    const requestToken = randomUUID()
    const jobId = await transcoder.submit({ videoId, storageKey, source, levels: ['360p'], requestToken })
    await runsOf(videoId, 1)
    return jobId
  }

  /** The workers that have begun to run the job, with their folders. */
  async function runsOf(videoId: string, atLeast: number): Promise<{ worker: Server; scratch: string }[]> {
    const runs = () =>
      readdirSync(folder.path).flatMap((name) => {
        const worker = workers.find(({ pid }) => name === `${videoId}.run-${pid}`)
        return worker ? [{ worker, scratch: readFileSync(join(folder.path, name), 'utf8') }] : []
      })
    await waitUntil(() => runs().length >= atLeast || `${runs().length} workers have run it`, {
      timeoutMs: 120_000,
    })
    return runs()
  }

  const end = (videoId: string) => writeFileSync(join(folder.path, `${videoId}.end`), '')
  const outcome = async (videoId: string) => {
    await waitUntil(() => backend.outcomesOf(videoId).length > 0 || 'the server has heard nothing')
    return backend.outcomesOf(videoId)
  }

  test('[J22,J27,J29] one is killed: the other does its job, and its folder is removed', async () => {
    const jobId = await begin('vid_killed')
    await waitUntil(() => backend.progressOf('vid_killed').length > 0 || 'no progress')
    const [first] = await runsOf('vid_killed', 1)
    if (!first) return expect.fail()
    await first.worker.kill()
    expect(existsSync(join(first.scratch, 'original'))).toBe(true)
    await waitUntil(
      () =>
        readdirSync(folder.path).filter((name) => name.startsWith('vid_killed.run-')).length === 2 ||
        'one run',
      { timeoutMs: 120_000 },
    )
    end('vid_killed')
    expect(await outcome('vid_killed')).toEqual([
      {
        status: 'ready',
        hlsManifestKey: 'videos/vid_killed/hls/master.m3u8',
        outputs: [{ type: 'HLS_GROUP', outputDetails: [] }],
        jobId,
      },
    ])
    expect(backend.progressOf('vid_killed')).toContainEqual({ jobId, progress: 0.5 })
    await first.worker.restart()
    expect(existsSync(join(first.scratch, 'original'))).toBe(false)
  })

  test('[J23] one is stopped: it exits cleanly, leaves nothing, and the other does its job', async () => {
    const jobId = await begin('vid_stopped')
    const [first] = await runsOf('vid_stopped', 1)
    if (!first) return expect.fail()
    expect(await first.worker.end()).toBe(0)
    expect(existsSync(first.scratch)).toBe(false)
    await waitUntil(
      () =>
        readdirSync(folder.path).filter((name) => name.startsWith('vid_stopped.run-')).length === 2 ||
        'one run',
    )
    end('vid_stopped')
    expect(await outcome('vid_stopped')).toMatchObject([{ status: 'ready', jobId }])
    await first.worker.restart()
  })

  test('are alive, ready and counted', async () => {
    const [worker] = workers
    if (!worker) return expect.fail()
    for (const path of ['/health/live', '/health/ready'])
      expect((await fetch(`${worker.http}${path}`)).status).toBe(200)
    expect((await fetch(`${worker.http}/elsewhere`)).status).toBe(404)
    const counts = await Promise.all(
      workers.map(async ({ metrics }) => (await fetch(`${metrics}/metrics`)).text()),
    )
    expect(counts.join('\n')).toMatch(/transcode_jobs_total\{end="complete"\} \d/)
  })
})
