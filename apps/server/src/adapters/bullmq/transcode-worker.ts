import { keys, queues } from '@atrium/coordination'
import { type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import type { TranscodeRunner } from '../../ports/transcode-runner.ts'
import { UnusableSource } from '../../ports/transcoder.ts'
import { type ProbeAnswer, parseQueuedProbe } from './queued-job.ts'
import { createTranscodeRuns, type RunEnd, type RunTiming, type TranscodeRunsDeps } from './transcode-runs.ts'

export type WorkerTiming = RunTiming & {
  /** A job whose worker has not renewed its lock for so long belongs to nobody. */
  lockMs: number
  /** How often workers look for such jobs. Together with `lockMs` it decides when the job of a dead worker goes on. */
  stalledEveryMs: number
}

export interface TranscodeWorkerDeps extends Omit<TranscodeRunsDeps, 'isSuperseded' | 'timing'> {
  redisUrl: string
  onRunEnd(end: RunEnd): void
  timing?: Partial<WorkerTiming>
}

const usualTiming: WorkerTiming = {
  lockMs: 20_000,
  stalledEveryMs: 10_000,
  watchEveryMs: 1_000,
  progressEveryMs: 2_000,
  minRunMs: 1_000,
}

export interface TranscodeWorker {
  isReady(): boolean
  /** Hands running jobs back, and takes no more. */
  stop(): Promise<void>
}

/** Takes jobs from the queue, one at a time, and probes beside them. */
export function startTranscodeWorker({ redisUrl, onRunEnd, ...deps }: TranscodeWorkerDeps): TranscodeWorker {
  const { runner, onError } = deps
  const timing = { ...usualTiming, ...deps.timing }
  const redis = new Redis(redisUrl, {
    // BullMQ insists: a worker waits for Redis however long it is away.
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  })
  redis.on('error', onError)
  const runs = createTranscodeRuns({
    ...deps,
    timing,
    async isSuperseded(videoId, jobId) {
      const newest = await redis.get(keys.newestTranscode(videoId))
      // If Redis has lost it, the job goes on.
      return newest !== null && newest !== jobId
    },
  })

  async function transcode(job: Job<unknown>, token: string | undefined): Promise<RunEnd> {
    const end = await runs.handle({
      jobId: job.id ?? '',
      data: job.data,
      update: (data) => job.updateData(data),
    })
    onRunEnd(end)
    if (end === 'stopping') return await handBack(job, token)
    if (end === 'lost') throw new UnrecoverableError('another worker has the job')
    return end
  }

  const probing = new AbortController()
  async function probe(job: Job<unknown>, token: string | undefined): Promise<ProbeAnswer> {
    const queued = parseQueuedProbe(job.data)
    if (queued === undefined) throw new UnrecoverableError('this version cannot read the probe')
    const answer = await probeWith(runner, queued.storageKey, probing.signal)
    return answer ?? (await handBack(job, token))
  }

  const settings = {
    connection: redis,
    prefix: queues.prefix,
    lockDuration: timing.lockMs,
    stalledInterval: timing.stalledEveryMs,
    // Runs are counted by ourselves: the server must be told when there were too many.
    maxStalledCount: 1_000_000,
    skipVersionCheck: true,
  }
  const jobs = new Worker<unknown, RunEnd>(queues.transcode, transcode, settings)
  const probes = new Worker<unknown, ProbeAnswer>(queues.probe, probe, settings)
  for (const worker of [jobs, probes]) worker.on('error', onError)
  probes.on('failed', (_job, error) => onError(error))
  jobs.on('lockRenewalFailed', (jobIds) => {
    for (const jobId of jobIds) runs.stop(jobId, 'lost')
  })

  let isStopping = false
  return {
    isReady: () => redis.status === 'ready' && !isStopping,
    async stop() {
      isStopping = true
      runs.stopAll()
      probing.abort()
      await Promise.all([jobs.close(), probes.close()])
      redis.disconnect()
    },
  }
}

/** Undefined if the worker is stopping. */
async function probeWith(
  runner: TranscodeRunner,
  storageKey: string,
  signal: AbortSignal,
): Promise<ProbeAnswer | undefined> {
  try {
    return { source: await runner.probe(storageKey, signal) }
  } catch (error) {
    if (signal.aborted) return undefined
    if (error instanceof UnusableSource) return { unusable: error.message }
    throw error
  }
}

/** BullMQ learns by the error that the job is not its concern any more. */
async function handBack(job: Job<unknown>, token: string | undefined): Promise<never> {
  await job.moveToWait(token)
  throw new WaitingError()
}
