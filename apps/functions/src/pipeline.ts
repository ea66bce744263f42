import type { HlsComplete, HlsSubmitted, Transcoder } from '@atrium/contract'
import type { Wait } from './attempts.ts'
import type { Delivered } from './backend.ts'
import { type EndedJob, jobEnded } from './job-ended.ts'
import type { Log } from './log.ts'
import { type StoredOriginal, submit } from './submit.ts'

/** What the server does with the reports of functions. */
export interface MediaReports {
  submitted(videoId: string, job: HlsSubmitted): Promise<unknown>
  progressed(videoId: string, report: { jobId: string; progress: number }): Promise<unknown>
  completed(videoId: string, outcome: HlsComplete): Promise<unknown>
}

export interface PipelineDeps {
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
  submit(original: StoredOriginal): Promise<void>
  /** A transcoder in this process has ended a job. Rejects if that could not be recorded. */
  jobEnded(job: EndedJob): Promise<void>
  progressed(videoId: string, report: { jobId: string; progress: number }): Promise<void>
}

/** The two functions in the server's own process, for transcoders and object stores that send no events. */
export function createPipeline({ transcoder, media, isGone, now, wait, log }: PipelineDeps): Pipeline {
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
  const reportFailed = (videoId: string, error: string) => postComplete(videoId, { status: 'failed', error })

  /** Submissions under way, by video. A second one for a video shares the first one: its original never changes. */
  const submitting = new Map<string, Promise<void>>()
  return {
    submit(original) {
      const { videoId } = original
      const underWay = submitting.get(videoId)
      if (underWay) return underWay
      const deps = { transcoder, reportSubmitted, reportFailed, wait, log }
      const submission = submit(original, deps).finally(() => submitting.delete(videoId))
      submitting.set(videoId, submission)
      return submission
    },
    async jobEnded(job) {
      // A job may end before its id is recorded; its outcome would then look like that of a superseded job.
      await submitting.get(job.videoId)?.catch(() => undefined)
      await jobEnded(job, { postComplete, now, wait, log })
    },
    async progressed(videoId, report) {
      await delivery(media.progressed(videoId, report))
    },
  }
}
