import { assertNever, type HlsComplete, objectKeys } from '@atrium/contract'
import { oldestEventMs, type Wait, withAttempts } from './attempts.ts'
import type { Delivered } from './backend.ts'
import { type JobEvent, parseJobEvent } from './job-event.ts'
import type { Log } from './log.ts'

export interface CallbackDeps {
  postComplete(videoId: string, body: HlsComplete): Promise<Delivered>
  postProgress(videoId: string, body: { jobId: string; progress: number }): Promise<Delivered>
  /** Epoch milliseconds. */
  now(): number
  wait: Wait
  log: Log
}

/**
 * Handles a state change of a job: tells the server how it ended. Rejects if the server could not be told in three
 * attempts; then the event belongs into a dead-letter queue.
 */
export async function callback(event: unknown, deps: CallbackDeps): Promise<void> {
  const job = parseJobEvent(event)
  if (job === undefined) return deps.log.info({}, 'the event is not of one of our jobs')
  const { videoId, jobId, state } = job
  switch (state.kind) {
    case 'complete':
      return await tell(job, readyAs(job, state.outputs), deps)
    case 'failed':
      return await tell(job, { status: 'failed', error: state.error, jobId }, deps)
    case 'progress':
      // Only a figure to look at, and the next one comes soon.
      return void (await deps
        .postProgress(videoId, { jobId, progress: state.progress })
        .catch((err: unknown) => deps.log.info({ videoId, jobId, err }, 'progress was not reported')))
    case 'other':
      return
    default:
      return assertNever(state)
  }
}

const readyAs = ({ videoId, jobId }: JobEvent, outputs: unknown[] | undefined): HlsComplete => ({
  status: 'ready',
  hlsManifestKey: objectKeys.manifest(videoId),
  jobId,
  ...(outputs !== undefined && { outputs }),
})

async function tell({ videoId, jobId, at }: JobEvent, body: HlsComplete, deps: CallbackDeps): Promise<void> {
  const { log } = deps
  const delivered = await withAttempts(deps.wait, async () => {
    const isTooOld = at !== undefined && deps.now() - at > oldestEventMs
    return isTooOld ? ('too old' as const) : await deps.postComplete(videoId, body)
  })
  if (delivered === 'too old')
    log.warn({ videoId, jobId, status: body.status }, 'event dropped: it is older than an hour')
  else log.info({ videoId, jobId, status: body.status, delivered }, 'outcome of the job delivered')
}
