import { randomUUID } from 'node:crypto'
import { pace, startRedis, waitUntil } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { NoWorkerYet } from '../../src/adapters/bullmq/no-worker-yet.ts'
import { createQueueTranscoder, type QueueTranscoder } from '../../src/adapters/bullmq/queue-transcoder.ts'
import { startTranscodeWorker, type TranscodeWorker } from '../../src/adapters/bullmq/transcode-worker.ts'
import type { TranscodeRunner } from '../../src/ports/transcode-runner.ts'
import { type Source, type TranscodeJob, UnusableSource } from '../../src/ports/transcoder.ts'

const video: Source = { durationMs: 6_000, width: 640, height: 360, hasAudio: true }

/** Runs that the test ends, by the token of their job. */
function createScene() {
  const runs: { token: string; end(): void; fail(error: Error): void; signal: AbortSignal }[] = []
  const outcomes: { jobId: string; status: string }[] = []
  const set = { isServerAway: false, reports: 0 }
  const runner: TranscodeRunner = {
    async probe(storageKey) {
      if (storageKey.includes('song')) throw new UnusableSource('This file has sound but no picture.')
      if (storageKey.includes('cursed')) throw new Error('the object store is away')
      return video
    },
    runJob: ({ requestToken }, { signal }) =>
      new Promise((resolve, reject) => {
        runs.push({ token: requestToken, end: () => resolve([{}]), fail: reject, signal })
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  }
  return {
    runs,
    outcomes,
    set,
    runner,
    runOf: (job: TranscodeJob) => runs.findLast(({ token }) => token === job.requestToken),
    runsOf: (job: TranscodeJob) => runs.filter(({ token }) => token === job.requestToken).length,
    isTold: (jobId: string, status = 'COMPLETE') =>
      outcomes.some((outcome) => outcome.jobId === jobId && outcome.status === status) ||
      `the server was told ${JSON.stringify(outcomes)}`,
  }
}

describe('The queue of transcode jobs', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let transcoder: QueueTranscoder
  beforeAll(async () => {
    redis = await startRedis()
    transcoder = createQueueTranscoder({
      redisUrl: redis.url,
      onError: () => undefined,
      probePatienceMs: 60_000,
    })
    await waitUntil(async () => (await transcoder.isLost('job-0')) || 'it is there')
  })
  afterAll(async () => {
    await transcoder?.close()
    await redis?.stop()
  })

  const jobOf = (videoId: string): TranscodeJob => ({
    videoId,
    storageKey: `videos/${videoId}/original/film.mp4`,
    levels: ['360p'],
    source: video,
    requestToken: randomUUID(),
  })

  function startWorker(scene: ReturnType<typeof createScene>): TranscodeWorker {
    const worker = startTranscodeWorker({
      redisUrl: redis.url,
      runner: scene.runner,
      async report({ jobId, outcome }) {
        scene.set.reports += 1
        if (scene.set.isServerAway) throw new Error('the server is away')
        scene.outcomes.push({ jobId, status: outcome.status })
      },
      reportProgress: async () => 'recorded',
      now: () => Date.now(),
      wait: pace,
      onRunEnd: () => undefined,
      onError: () => undefined,
      timing: { lockMs: 5_000, stalledEveryMs: 1_000, watchEveryMs: 50, minRunMs: 0 },
    })
    onTestFinished(() => worker.stop())
    return worker
  }

  test('[J20] makes one job of one request token, even after it has ended', async () => {
    const scene = createScene()
    startWorker(scene)
    const job = jobOf('vid_once')
    const [one, two] = await Promise.all([transcoder.submit(job), transcoder.submit(job)])
    expect(one).toBe(two)
    await waitUntil(() => scene.runsOf(job) === 1 || 'it does not run yet')
    expect(await transcoder.isLost(one)).toBe(false)
    expect(await transcoder.submit(job)).toBe(one)
    scene.runOf(job)?.end()
    await waitUntil(() => scene.isTold(one))
    await waitUntil(async () => (await transcoder.isLost(one)) || 'it has not ended yet')
    expect(await transcoder.submit(job)).toBe(one)
    expect(await transcoder.isLost(one)).toBe(true)
    expect(scene.runsOf(job)).toBe(1)
  })

  test('[J21] lets workers probe, also while they transcode', async () => {
    const scene = createScene()
    startWorker(scene)
    const job = jobOf('vid_busy')
    await transcoder.submit(job)
    await waitUntil(() => scene.runsOf(job) === 1 || 'it does not run yet')
    expect(await transcoder.probe('videos/vid_1/original/film.mp4')).toEqual(video)
    await expect(transcoder.probe('videos/vid_2/original/song.mp4')).rejects.toThrow(UnusableSource)
    const failed = await transcoder.probe('videos/vid_3/original/cursed.mp4').catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(Error)
    expect(failed).not.toBeInstanceOf(UnusableSource)
    scene.runOf(job)?.end()
  })

  test('[J21] gives up waiting for a worker, and finds the answer later', async () => {
    const patient = transcoder
    const hasty = createQueueTranscoder({ redisUrl: redis.url, onError: () => undefined, probePatienceMs: 1 })
    onTestFinished(() => hasty.close())
    const key = 'videos/vid_4/original/film.mp4'
    await waitUntil(async () => {
      const error = await hasty.probe(key).catch((error: unknown) => error)
      return error instanceof NoWorkerYet || String(error)
    })
    startWorker(createScene())
    expect(await patient.probe(key)).toEqual(video)
  })

  test('[J23] gets the job back from a worker that stops, and another one does it', async () => {
    const [scene, next] = [createScene(), createScene()]
    const job = jobOf('vid_handed')
    const worker = startWorker(scene)
    const jobId = await transcoder.submit(job)
    await waitUntil(() => scene.runsOf(job) === 1 || 'it does not run yet')
    await worker.stop()
    expect(scene.outcomes).toEqual([])
    expect(await transcoder.isLost(jobId)).toBe(false)
    startWorker(next)
    await waitUntil(() => next.runsOf(job) === 1 || 'the other does not run it yet')
    next.runOf(job)?.end()
    await waitUntil(() => next.isTold(jobId))
  })

  test('[J24] stops the older job of a video when there is a newer one', async () => {
    const scene = createScene()
    startWorker(scene)
    const [older, newer] = [jobOf('vid_again'), jobOf('vid_again')]
    const olderId = await transcoder.submit(older)
    await waitUntil(() => scene.runsOf(older) === 1 || 'it does not run yet')
    const newerId = await transcoder.submit(newer)
    await waitUntil(() => scene.runsOf(newer) === 1 || 'the newer one does not run yet')
    expect(scene.runOf(older)?.signal.aborted).toBe(true)
    expect(await transcoder.submit(older), 'an old event that comes again changes nothing').toBe(olderId)
    scene.runOf(newer)?.end()
    await waitUntil(() => scene.isTold(newerId))
    expect(scene.outcomes.map(({ jobId }) => jobId)).toEqual([newerId])
  })

  test('[J24] cancels jobs that run and jobs that wait, but not the one that replaced them', async () => {
    const scene = createScene()
    startWorker(scene)
    const [running, waiting] = [jobOf('vid_running'), jobOf('vid_waiting')]
    const runningId = await transcoder.submit(running)
    await waitUntil(() => scene.runsOf(running) === 1 || 'it does not run yet')
    const waitingId = await transcoder.submit(waiting)
    await transcoder.cancel(waitingId)
    const replacement = jobOf('vid_waiting')
    const replacementId = await transcoder.submit(replacement)
    await transcoder.cancel(waitingId)
    await transcoder.cancel(runningId)
    await waitUntil(() => scene.runsOf(replacement) === 1 || 'the replacement does not run yet')
    expect(scene.runOf(running)?.signal.aborted).toBe(true)
    scene.runOf(replacement)?.end()
    await waitUntil(() => scene.isTold(replacementId))
    expect(scene.runsOf(waiting)).toBe(0)
    await transcoder.cancel('job-nobody-knows')
  })

  test('[J26] repeats the report, not the run, while the server is away', async () => {
    const scene = createScene()
    startWorker(scene)
    const job = jobOf('vid_unreported')
    scene.set.isServerAway = true
    const jobId = await transcoder.submit(job)
    await waitUntil(() => scene.runsOf(job) === 1 || 'it does not run yet')
    scene.runOf(job)?.end()
    await waitUntil(() => scene.set.reports === 1 || 'it has not tried to report yet')
    expect(await transcoder.isLost(jobId)).toBe(false)
    scene.set.isServerAway = false
    await waitUntil(() => scene.isTold(jobId))
    expect([scene.runsOf(job), scene.set.reports]).toEqual([1, 2])
  })

  test('[J28] that Redis has lost says so, its worker stops the job, and the next submission runs', async () => {
    const scene = createScene()
    startWorker(scene)
    const [lost, again] = [jobOf('vid_lost'), jobOf('vid_lost')]
    const lostId = await transcoder.submit(lost)
    await waitUntil(() => scene.runsOf(lost) === 1 || 'it does not run yet')
    await redis.restart()
    await waitUntil(async () => (await transcoder.isLost(lostId)) || 'it is still there')
    await waitUntil(() => scene.runOf(lost)?.signal.aborted || 'it still runs')
    const againId = await transcoder.submit(again)
    await waitUntil(() => scene.runsOf(again) === 1 || 'the next one does not run yet')
    scene.runOf(again)?.end()
    await waitUntil(() => scene.isTold(againId))
    expect(scene.outcomes.map(({ jobId }) => jobId)).toEqual([againId])
  })

  test('[J5] that cannot be reached rejects at once, and works again afterwards', async () => {
    await redis.kill()
    await waitUntil(async () => {
      const error = await transcoder.submit(jobOf('vid_away')).catch((error: unknown) => error)
      return String(error).includes('Redis cannot be reached') || String(error)
    })
    await redis.restart()
    await waitUntil(async () => (await transcoder.submit(jobOf('vid_back'))).startsWith('job-') || 'no')
  })
})
