import { type HlsSubmitted, levelsFor, type Source, type Transcoder, UnusableSource } from '@atrium/contract'
import { type Wait, withAttempts } from './attempts.ts'
import type { Delivered } from './backend.ts'
import type { Log } from './log.ts'
import { requestTokenOf } from './request-token.ts'
import { type StoredOriginal, storedOriginals } from './upload-event.ts'

export interface SubmitDeps {
  /** Events of other buckets are none of ours. */
  bucket: string
  transcoder: Transcoder
  reportSubmitted(videoId: string, job: HlsSubmitted): Promise<Delivered>
  reportFailed(videoId: string, error: string): Promise<Delivered>
  wait: Wait
  log: Log
}

/**
 * Handles an upload event: probes the originals it announces and submits a job for each. Rejects if that may succeed
 * later, so that the platform delivers the event again; an event that is delivered twice makes one job.
 */
export async function submit(event: unknown, deps: SubmitDeps): Promise<void> {
  const originals = storedOriginals(event, deps.bucket)
  if (originals.length === 0) deps.log.info({}, 'the event announces no original')
  const failures: unknown[] = []
  for (const original of originals)
    await submitOne(original, deps).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

async function submitOne(original: StoredOriginal, deps: SubmitDeps): Promise<void> {
  const { videoId, storageKey } = original
  const { transcoder, wait, log } = deps
  try {
    const source = await transcoder.probe(storageKey)
    const levels = levelsFor(source.height).map(({ name }) => name)
    const requestToken = requestTokenOf(original)
    const jobId = await transcoder.submit({ videoId, storageKey, levels, source, requestToken })
    const body = { jobId, levels, ...figuresOf(source) }
    const delivered = await withAttempts(wait, () => deps.reportSubmitted(videoId, body))
    log.info({ videoId, jobId, delivered }, 'job submitted')
    if (delivered === 'gone') await cancelVain(jobId, deps)
  } catch (error) {
    if (!(error instanceof UnusableSource)) throw error
    await withAttempts(wait, () => deps.reportFailed(videoId, error.message))
    log.info({ videoId, reason: error.message }, 'the original cannot be transcoded')
  }
}

/** A job that goes on for a deleted video only costs time: its outcome finds nobody. */
async function cancelVain(jobId: string, { transcoder, log }: SubmitDeps): Promise<void> {
  await transcoder
    .cancel(jobId)
    .catch((err: unknown) => log.warn({ jobId, err }, 'a job that is no longer needed goes on'))
}

const figuresOf = ({ durationMs, width, height }: Source) => ({
  durationMs: durationMs === null ? null : Math.round(durationMs),
  width: Math.round(width),
  height: Math.round(height),
})
