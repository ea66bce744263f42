import type { HlsComplete, HlsSubmitted, Source, TranscodeJob, Transcoder } from '@atrium/contract'
import type { Delivered } from '../src/backend.ts'

export const video: Source = { durationMs: 180_041.4, width: 1280, height: 720, hasAudio: true }

/** A transcoder that remembers; the same token makes one job. */
export function fakeTranscoder(probe: (storageKey: string) => Promise<Source> = async () => video) {
  const jobs = new Map<string, TranscodeJob>()
  const canceled: string[] = []
  const transcoder: Transcoder = {
    probe,
    async submit(job) {
      const jobId = `job-${job.requestToken.slice(0, 8)}`
      jobs.set(jobId, job)
      return jobId
    },
    async cancel(jobId) {
      canceled.push(jobId)
    },
  }
  return { transcoder, jobs, canceled }
}

/** A server that remembers what it is told; `answer` decides how each call ends. */
export function fakeServer(answer: () => Promise<Delivered> = async () => 'recorded') {
  const submitted: [videoId: string, job: HlsSubmitted][] = []
  const completed: [videoId: string, outcome: HlsComplete][] = []
  const progressed: [videoId: string, report: { jobId: string; progress: number }][] = []
  return {
    submitted,
    completed,
    progressed,
    async reportSubmitted(videoId: string, job: HlsSubmitted): Promise<Delivered> {
      submitted.push([videoId, job])
      return await answer()
    },
    async postComplete(videoId: string, outcome: HlsComplete): Promise<Delivered> {
      completed.push([videoId, outcome])
      return await answer()
    },
    async postProgress(videoId: string, report: { jobId: string; progress: number }): Promise<Delivered> {
      progressed.push([videoId, report])
      return await answer()
    },
  }
}

export function recordedLog() {
  const messages: string[] = []
  const note = (_fields: Record<string, unknown>, message: string) => void messages.push(message)
  return { messages, info: note, warn: note }
}

/** Does not wait, but remembers how long it was asked to. */
export function recordedWait() {
  const pauses: number[] = []
  return { pauses, wait: async (ms: number) => void pauses.push(ms) }
}
