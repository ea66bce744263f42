import { type HlsComplete, objectKeys } from '@atrium/contract'
import { oldestEventMs, type Wait, withAttempts } from './attempts.ts'
import type { Delivered } from './backend.ts'
import type { Log } from './log.ts'

export interface EndedJob {
  videoId: string
  jobId: string
  /** Epoch milliseconds; undefined if nobody knows. */
  at: number | undefined
  outcome:
    | { status: 'COMPLETE'; outputGroupDetails?: unknown[] | undefined }
    | { status: 'ERROR' | 'CANCELED'; errorMessage?: string | null | undefined }
}

export interface JobEndedDeps {
  postComplete(videoId: string, body: HlsComplete): Promise<Delivered>
  /** Epoch milliseconds. */
  now(): number
  wait: Wait
  log: Log
}

const longestError = 4_000
const maxOutputGroups = 100
/** A request to the server may have 1 MiB. */
const maxOutputChars = 500_000

/**
 * Tells the server how a job ended. Rejects if the server could not be told in three attempts; then the event belongs
 * into a dead-letter queue.
 */
export async function jobEnded(job: EndedJob, deps: JobEndedDeps): Promise<void> {
  const { videoId, jobId, at } = job
  const { now, wait, log } = deps
  const body = reportOf(job)
  const delivered = await withAttempts(wait, async () => {
    const isTooOld = at !== undefined && now() - at > oldestEventMs
    return isTooOld ? ('too old' as const) : await deps.postComplete(videoId, body)
  })
  if (delivered === 'too old')
    log.warn({ videoId, jobId, status: body.status }, 'event dropped: it is older than an hour')
  else log.info({ videoId, jobId, status: body.status, delivered }, 'outcome of the job delivered')
}

function reportOf({ videoId, jobId, outcome }: EndedJob): HlsComplete {
  if (outcome.status === 'COMPLETE') {
    const outputs = bounded(outcome.outputGroupDetails)
    return {
      status: 'ready',
      hlsManifestKey: objectKeys.manifest(videoId),
      jobId,
      ...(outputs !== undefined && { outputs }),
    }
  }
  const unexplained = outcome.status === 'ERROR' ? 'Unknown error' : 'The transcode job was canceled'
  return { status: 'failed', error: sentence(outcome.errorMessage) ?? unexplained, jobId }
}

/** What PostgreSQL cannot store is left out. */
const sentence = (text: string | null | undefined): string | undefined =>
  text?.replaceAll('\0', '').toWellFormed().trim().slice(0, longestError) || undefined

/** The server accepts a video without them, but not a request that is too large. */
const bounded = (outputs: unknown[] | undefined): unknown[] | undefined =>
  outputs === undefined || outputs.length > maxOutputGroups || JSON.stringify(outputs).length > maxOutputChars
    ? undefined
    : outputs
