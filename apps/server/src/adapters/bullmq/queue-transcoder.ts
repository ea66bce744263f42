import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { keys, queues } from '@atrium/coordination'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { type Source, type Transcoder, UnusableSource } from '../../ports/transcoder.ts'
import { NoWorkerYet } from './no-worker-yet.ts'
import {
  newQueuedJob,
  parseProbeAnswer,
  parseQueuedJob,
  type QueuedJob,
  type QueuedProbe,
} from './queued-job.ts'

export interface QueueTranscoder extends Transcoder {
  /** Whether the job neither waits nor runs: its end could not be reported, or Redis has lost the queue. */
  isLost(jobId: string): Promise<boolean>
  close(): Promise<void>
}

export interface QueueTranscoderDeps {
  redisUrl: string
  onError(error: Error): void
  /** How long a probe waits for a worker. The upload then stays pending; trying again finds the same probe. */
  probePatienceMs?: number
}

/** Ended jobs are remembered for a day, so that an event that is delivered late again makes no second job. */
const remembered = { age: 86_400, count: 10_000 }
/** Runs are limited by the worker; these are for reports, which end when the event is an hour old: 5 s, 10 s, 20 s, … */
const repeated = { attempts: 12, backoff: { type: 'exponential', delay: 5_000 } }
/** Far longer than any job takes. */
const newestSeconds = 30 * 86_400
const probePollMs = 250

const unlessNewer = `
if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('set', KEYS[1], 'none', 'EX', ARGV[2]) end`

/** Puts jobs into the queue of the workers. */
export function createQueueTranscoder({
  redisUrl,
  onError,
  probePatienceMs = 60_000,
}: QueueTranscoderDeps): QueueTranscoder {
  // Nobody waits for these commands but a background task, so they may take longer than others; yet never forever.
  const redis = new Redis(redisUrl, {
    commandTimeout: 5_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  })
  redis.on('error', onError)
  const settings = { connection: redis, prefix: queues.prefix, skipVersionCheck: true }
  const jobs = new Queue<QueuedJob>(queues.transcode, settings)
  const probes = new Queue<QueuedProbe>(queues.probe, settings)
  for (const queue of [jobs, probes]) queue.on('error', onError)

  /** BullMQ would wait for the connection however long it takes. */
  function expectRedis(): void {
    if (redis.status !== 'ready') throw new Error('Redis cannot be reached')
  }

  async function probeAnswerOf(probeId: string): Promise<Source> {
    for (let waitedMs = 0; waitedMs < probePatienceMs; waitedMs += probePollMs) {
      expectRedis()
      const job = await probes.getJob(probeId)
      if (job === undefined) throw new Error('the worker could not probe the original, or the queue was lost')
      const answer = parseProbeAnswer(job.returnvalue)
      if (answer === undefined) await delay(probePollMs)
      else if ('unusable' in answer) throw new UnusableSource(answer.unusable)
      else return answer.source
    }
    throw new NoWorkerYet()
  }

  return {
    async probe(storageKey) {
      expectRedis()
      const jobId = `probe-${createHash('sha256').update(storageKey).digest('hex')}`
      // While one is under way, adding it again changes nothing.
      await probes.add('probe', { storageKey }, { jobId, removeOnComplete: { age: 300 }, removeOnFail: true })
      return await probeAnswerOf(jobId)
    },

    async submit(job) {
      expectRedis()
      const jobId = `job-${job.requestToken}`
      if (await jobs.getJob(jobId)) return jobId
      // First, or a quick worker would take the job for one that has been superseded.
      await redis.set(keys.newestTranscode(job.videoId), jobId, 'EX', newestSeconds)
      await jobs.add('transcode', newQueuedJob(job), {
        jobId,
        removeOnComplete: remembered,
        removeOnFail: remembered,
        ...repeated,
      })
      return jobId
    },

    async cancel(jobId) {
      expectRedis()
      const job = await jobs.getJob(jobId)
      const videoId = parseQueuedJob(job?.data)?.videoId
      if (job === undefined || videoId === undefined) return
      await redis.eval(unlessNewer, 1, keys.newestTranscode(videoId), jobId, newestSeconds)
      // A job that runs is locked; its worker stops it when it sees the key.
      await job.remove().catch(() => undefined)
    },

    async isLost(jobId) {
      expectRedis()
      return !['waiting', 'active', 'delayed', 'prioritized'].includes(await jobs.getJobState(jobId))
    },

    async close() {
      await Promise.all([jobs.close(), probes.close()])
      redis.disconnect()
    },
  }
}
