import { type HlsComplete, type HlsSubmitted, type Transcoder, videoIdOfOriginal } from '@atrium/contract'
import type { Wait } from './attempts.ts'
import type { Delivered } from './backend.ts'
import { callback } from './callback.ts'
import { parseJobEvent } from './job-event.ts'
import type { Log } from './log.ts'
import { submit } from './submit.ts'
import { type UploadedObject, uploadEvent } from './upload-event.ts'

/** What the server does with the reports of functions. */
export interface MediaReports {
  submitted(videoId: string, job: HlsSubmitted): Promise<unknown>
  progressed(videoId: string, report: { jobId: string; progress: number }): Promise<unknown>
  completed(videoId: string, outcome: HlsComplete): Promise<unknown>
}

export interface PipelineDeps {
  bucket: string
  transcoder: Transcoder
  media: MediaReports
  /** Whether an error of `media` says that there is no such video any more. */
  isGone(error: unknown): boolean
  /** Epoch milliseconds. */
  now(): number
  wait: Wait
  log: Log
}

export interface Pipeline {
  /** An original has been stored, or is to be tried again. Rejects if it may succeed later. */
  uploaded(object: Omit<UploadedObject, 'bucket'>): Promise<void>
  /** An event of a transcoder in this process. Rejects if it could not be recorded. */
  jobChanged(event: unknown): Promise<void>
  progressed(videoId: string, report: { jobId: string; progress: number }): Promise<void>
}

/** The two functions in the server's own process, for transcoders and object stores that send no events. */
export function createPipeline({
  bucket,
  transcoder,
  media,
  isGone,
  now,
  wait,
  log,
}: PipelineDeps): Pipeline {
  const delivery = async (recording: Promise<unknown>): Promise<Delivered> => {
    try {
      await recording
      return 'recorded'
    } catch (error) {
      if (isGone(error)) return 'gone'
      throw error
    }
  }
  const reportSubmitted = (videoId: string, job: HlsSubmitted) => delivery(media.submitted(videoId, job))
  const postComplete = (videoId: string, outcome: HlsComplete) => delivery(media.completed(videoId, outcome))
  const postProgress = (videoId: string, report: { jobId: string; progress: number }) =>
    delivery(media.progressed(videoId, report))
  const reportFailed = (videoId: string, error: string) => postComplete(videoId, { status: 'failed', error })

  /** Submissions under way, by video. A second event for a video shares the first one's: its original never changes. */
  const submitting = new Map<string, Promise<void>>()
  function uploaded(object: Omit<UploadedObject, 'bucket'>): Promise<void> {
    const videoId = videoIdOfOriginal(object.key) ?? ''
    const underWay = submitting.get(videoId)
    if (underWay) return underWay
    const deps = { bucket, transcoder, reportSubmitted, reportFailed, wait, log }
    const submission = submit(uploadEvent({ ...object, bucket }), deps).finally(() =>
      submitting.delete(videoId),
    )
    submitting.set(videoId, submission)
    return submission
  }

  return {
    uploaded,
    async jobChanged(event) {
      // A job may end before its id is recorded; its outcome would then look like that of a superseded job.
      await submitting.get(parseJobEvent(event)?.videoId ?? '')?.catch(() => undefined)
      await callback(event, { postComplete, postProgress, now, wait, log })
    },
    async progressed(videoId, report) {
      await postProgress(videoId, report)
    },
  }
}
