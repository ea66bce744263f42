import { createHash } from 'node:crypto'
import { type HlsSubmitted, levelsFor, type Source, type Transcoder, UnusableSource } from '@atrium/contract'
import { type Wait, withAttempts } from './attempts.ts'
import type { Delivered } from './backend.ts'
import type { Log } from './log.ts'

/** An original that has been stored, whichever way we learned of it. */
export interface StoredOriginal {
  videoId: string
  storageKey: string
  /** Differs whenever the object is written again, and is the same when it is announced twice. */
  writing: string
}

export interface SubmitDeps {
  transcoder: Transcoder
  reportSubmitted(videoId: string, job: HlsSubmitted): Promise<Delivered>
  reportFailed(videoId: string, error: string): Promise<Delivered>
  wait: Wait
  log: Log
}

/**
 * Probes an original and submits a job for it. Rejects if that may succeed later. An original that is submitted twice
 * makes one job.
 */
export async function submit(original: StoredOriginal, deps: SubmitDeps): Promise<void> {
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
    if (delivered === 'gone') await cancelOrphanedJob(jobId, deps)
  } catch (error) {
    if (!(error instanceof UnusableSource)) throw error
    await withAttempts(wait, () => deps.reportFailed(videoId, error.message))
    log.info({ videoId, reason: error.message }, 'the original cannot be transcoded')
  }
}

/**
 * The same for every delivery of one event, another one when the object has been written again. 64 characters, the most
 * that MediaConvert accepts.
 */
const requestTokenOf = ({ videoId, storageKey, writing }: StoredOriginal): string =>
  createHash('sha256')
    .update(JSON.stringify([videoId, storageKey, writing]))
    .digest('hex')

/** A job that goes on for a deleted video only costs time: its outcome finds nobody. */
async function cancelOrphanedJob(jobId: string, { transcoder, log }: SubmitDeps): Promise<void> {
  await transcoder
    .cancel(jobId)
    .catch((err: unknown) => log.warn({ jobId, err }, 'a job that is no longer needed goes on'))
}

const figuresOf = ({ durationMs, width, height }: Source) => ({
  durationMs: durationMs === null ? null : Math.round(durationMs),
  width: Math.round(width),
  height: Math.round(height),
})
