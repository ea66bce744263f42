import { TranscodeFailed, type TranscodeRunner } from '../../ports/transcode-runner.ts'
import { UnusableSource } from '../../ports/transcoder.ts'
import { createProgressReports } from './progress-reports.ts'
import { type Outcome, parseQueuedJob, type QueuedJob } from './queued-job.ts'

/** A job that this worker holds. */
interface HeldJob {
  jobId: string
  data: unknown
  /** Keeps the data in the queue, where the next worker finds them. */
  update(data: QueuedJob): Promise<void>
}

/** Why a run is aborted: there is a newer job or no video any more; this worker stops; another worker has the job. */
type StopReason = 'superseded' | 'stopping' | 'lost'
export type RunEnd = 'complete' | 'failed' | 'unreadable' | StopReason

export interface TranscodeRunsDeps {
  runner: TranscodeRunner
  /** Tells the server how a job ended. Rejects if it could not be told, which is then repeated later. */
  report(job: { videoId: string; jobId: string; at: number; outcome: Outcome }): Promise<void>
  /** `gone`: the video has been deleted. */
  reportProgress(videoId: string, report: { jobId: string; progress: number }): Promise<'recorded' | 'gone'>
  isSuperseded(videoId: string, jobId: string): Promise<boolean>
  /** Epoch milliseconds. */
  now(): number
  wait(ms: number): Promise<void>
  onError(error: unknown): void
  timing: RunTiming
}

export interface RunTiming {
  /** How often to look whether a job has been superseded. */
  watchEveryMs: number
  progressEveryMs: number
  /** The server records the id of a job just after it has queued it. No outcome may arrive before that. */
  minRunMs: number
}

export interface TranscodeRuns {
  /** Does a job, up to the report. Rejects if it should be repeated after a pause. */
  handle(job: HeldJob): Promise<RunEnd>
  stop(jobId: string, reason: StopReason): void
  stopAll(): void
}

const maxRuns = 3
export const failedOften =
  'The video could not be transcoded, although it was tried three times. The log of the workers says why.'
export const killedOften =
  'The video could not be transcoded: three times the program that did it was ended in the middle.'

type EndedRun = { ended: NonNullable<QueuedJob['ended']> } | { stopped: StopReason }

export function createTranscodeRuns(deps: TranscodeRunsDeps): TranscodeRuns {
  const running = new Map<string, AbortController>()
  let isStopping = false

  async function run(job: HeldJob, queued: QueuedJob): Promise<EndedRun> {
    const end = async (outcome: Outcome): Promise<EndedRun> => {
      const ended = { at: deps.now(), outcome }
      await job.update({ ...queued, ended })
      return { ended }
    }
    if (queued.runs >= maxRuns) return await end({ status: 'ERROR', errorMessage: killedOften })
    const runs = queued.runs + 1
    await job.update({ ...queued, runs })
    const abort = new AbortController()
    running.set(job.jobId, abort)
    if (isStopping) abort.abort()
    try {
      const outputGroupDetails = await runWatched(job.jobId, queued, abort, deps)
      return await end({ status: 'COMPLETE', outputGroupDetails })
    } catch (error) {
      if (abort.signal.aborted) return { stopped: await stopped(abort.signal, job, queued) }
      if (error instanceof UnusableSource) return await end({ status: 'ERROR', errorMessage: error.message })
      deps.onError(error)
      if (runs === maxRuns) return await end({ status: 'ERROR', errorMessage: reasonOf(error) })
      throw error
    } finally {
      running.delete(job.jobId)
    }
  }

  return {
    async handle(job) {
      const queued = parseQueuedJob(job.data)
      if (queued === undefined) return 'unreadable'
      const { videoId } = queued
      if (await deps.isSuperseded(videoId, job.jobId)) return 'superseded'
      const startedAt = deps.now()
      const result = queued.ended ? { ended: queued.ended } : await run(job, queued)
      if ('stopped' in result) return result.stopped
      await deps.wait(Math.max(0, startedAt + deps.timing.minRunMs - deps.now()))
      await deps.report({ videoId, jobId: job.jobId, ...result.ended })
      return result.ended.outcome.status === 'COMPLETE' ? 'complete' : 'failed'
    },
    stop: (jobId, reason) => running.get(jobId)?.abort(reason),
    stopAll() {
      isStopping = true
      for (const abort of running.values()) abort.abort('stopping' satisfies StopReason)
    },
  }
}

/** Runs a job until it ends, or until another job or worker should, or nobody. */
async function runWatched(
  jobId: string,
  queued: QueuedJob,
  abort: AbortController,
  { runner, reportProgress, isSuperseded, timing }: TranscodeRunsDeps,
): Promise<unknown[]> {
  const supersede = () => abort.abort('superseded' satisfies StopReason)
  const progress = createProgressReports(timing.progressEveryMs, async (value) => {
    if ((await reportProgress(queued.videoId, { jobId, progress: value })) === 'gone') supersede()
  })
  const watch = setInterval(async () => {
    // A Redis that is away says nothing about the job.
    if (await isSuperseded(queued.videoId, jobId).catch(() => false)) supersede()
  }, timing.watchEveryMs)
  try {
    return await runner.runJob(queued, { signal: abort.signal, onProgress: progress.observe })
  } finally {
    progress.stop()
    clearInterval(watch)
  }
}

const reasonOf = (error: unknown): string => (error instanceof TranscodeFailed ? error.message : failedOften)

/** A run that was handed back does not count. */
async function stopped({ reason }: AbortSignal, job: HeldJob, queued: QueuedJob): Promise<StopReason> {
  if (reason === 'superseded' || reason === 'lost') return reason
  await job.update(queued)
  return 'stopping'
}
