import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
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
    await begun(videoId, 1)
    return jobId
  }

  /** Resolves when so many workers have begun to run the job. */
  async function begun(videoId: string, count: number): Promise<void> {
    const runs = () => readdirSync(folder.path).filter((name) => name.startsWith(`${videoId}.run-`)).length
    await waitUntil(() => runs() === count || `${runs()} have`, { timeoutMs: 240_000 })
  }

  /** The worker that runs the job, and its folder. */
  function runnerOf(videoId: string): { worker: Server; scratch: string } {
    for (const worker of workers) {
      const note = join(folder.path, `${videoId}.run-${worker.pid}`)
      if (existsSync(note)) return { worker, scratch: readFileSync(note, 'utf8') }
    }
    return expect.fail('nobody runs it')
  }

  const end = (videoId: string) => writeFileSync(join(folder.path, `${videoId}.end`), '')
  const outcome = async (videoId: string) => {
    await waitUntil(() => backend.outcomesOf(videoId).length > 0 || 'the server has heard nothing')
    return backend.outcomesOf(videoId)
  }

  test('[J22,J27,J29] one is killed: the other does its job, and its folder is removed', async () => {
    const jobId = await begin('vid_killed')
    await waitUntil(() => {
      const told = backend.progressOf('vid_killed')
      return told.some((body) => isDeepStrictEqual(body, { jobId, progress: 0.5 })) || JSON.stringify(told)
    })
    const first = runnerOf('vid_killed')
    await first.worker.kill()
    expect(existsSync(join(first.scratch, 'original'))).toBe(true)
    await begun('vid_killed', 2)
    end('vid_killed')
    expect(await outcome('vid_killed')).toEqual([
      {
        status: 'ready',
        hlsManifestKey: 'videos/vid_killed/hls/master.m3u8',
        outputs: [{ type: 'HLS_GROUP', outputDetails: [] }],
        jobId,
      },
    ])
    await first.worker.restart()
    expect(existsSync(join(first.scratch, 'original'))).toBe(false)
  })

  test('[J23] one is stopped: it exits cleanly, leaves nothing, and the other does its job', async () => {
    const jobId = await begin('vid_stopped')
    const first = runnerOf('vid_stopped')
    expect(await first.worker.end()).toBe(0)
    expect(existsSync(first.scratch)).toBe(false)
    await begun('vid_stopped', 2)
    end('vid_stopped')
    expect(await outcome('vid_stopped')).toMatchObject([{ status: 'ready', jobId }])
    await first.worker.restart()
  })

  test('[J28] one is paused until the other has its job: it lets go of it, and works on', async () => {
    const jobId = await begin('vid_paused')
    const first = runnerOf('vid_paused')
    first.worker.pause()
    await begun('vid_paused', 2)
    first.worker.resume()
    await waitUntil(async () => {
      const counts = await (await fetch(`${first.worker.metrics}/metrics`)).text()
      return counts.includes('transcode_jobs_total{end="lost"} 1') || 'it has not let go yet'
    })
    end('vid_paused')
    expect(await outcome('vid_paused')).toMatchObject([{ status: 'ready', jobId }])
    // One job for each, so that it must take one.
    const next = ['vid_next_1', 'vid_next_2']
    await Promise.all(next.map((videoId) => begin(videoId)))
    for (const videoId of next) end(videoId)
    for (const videoId of next) expect(await outcome(videoId)).toMatchObject([{ status: 'ready' }])
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
