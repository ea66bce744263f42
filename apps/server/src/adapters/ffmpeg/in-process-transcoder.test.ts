import { waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { type TranscodeJob, UnusableSource } from '../../ports/transcoder.ts'
import { createInProcessTranscoder, type EndedJob } from './in-process-transcoder.ts'

interface Running {
  job: TranscodeJob
  progress(share: number): void
  finish(): void
  fail(error: Error): void
}

/** A queue over a runner whose jobs end when the test says so. */
function openQueue(jobsAtOnce = 1) {
  const running: Running[] = []
  const ended: EndedJob[] = []
  const progress: number[] = []
  const warnings: string[] = []
  const transcoder = createInProcessTranscoder({
    jobsAtOnce,
    clock: systemClock,
    warn: (_, message) => void warnings.push(message),
    onProgress: (report) => void progress.push(report.progress),
    onEnded: async (job) => void ended.push(job),
    runner: {
      probe: async () => ({ durationMs: 1, width: 1, height: 1, hasAudio: true }),
      runJob: (job, { signal, onProgress }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          running.push({ job, progress: onProgress, finish: () => resolve([]), fail: reject })
        }),
    },
  })
  const submit = (videoId: string, requestToken = videoId) =>
    transcoder.submit({
      videoId,
      requestToken,
      storageKey: `videos/${videoId}/original/film.mp4`,
      levels: ['360p'],
      source: { durationMs: 1, width: 1, height: 1, hasAudio: true },
    })
  const begun = (count: number) =>
    waitUntil(() => running.length >= count || `${running.length} of ${count} jobs have begun`)
  const told = (count: number) =>
    waitUntil(() => ended.length >= count || `${ended.length} of ${count} ends were told`)
  return { transcoder, submit, running, ended, progress, warnings, begun, told }
}

test('[T18] jobs run one after the other, and each tells its progress and its end', async () => {
  const { submit, running, ended, progress, begun, told } = openQueue()
  const [a, b] = [await submit('a'), await submit('b')]
  await begun(1)
  expect(running.map(({ job }) => job.videoId)).toEqual(['a'])
  running[0]?.progress(0.5)
  running[0]?.finish()
  await begun(2)
  running[1]?.fail(new UnusableSource('This file is empty.'))
  await told(2)
  expect(progress).toEqual([0.5])
  expect(ended).toMatchObject([
    { videoId: 'a', jobId: a, outcome: { status: 'COMPLETE', outputGroupDetails: [] } },
    { videoId: 'b', jobId: b, outcome: { status: 'ERROR', errorMessage: 'This file is empty.' } },
  ])
})

test('[T18] an unexpected failure is logged, and researchers read a sentence', async () => {
  const { submit, running, ended, warnings, begun, told } = openQueue()
  await submit('a')
  await begun(1)
  running[0]?.fail(new Error('ECONNRESET 10.0.0.1'))
  await told(1)
  expect(ended[0]?.outcome).toEqual({
    status: 'ERROR',
    errorMessage: expect.stringContaining('The server could not transcode this video.'),
  })
  expect(warnings).toEqual(['a transcode job failed'])
})

test('[T19] a request token that is submitted twice makes one job', async () => {
  const { submit, running, begun } = openQueue()
  const first = await submit('a')
  await begun(1)
  expect(await submit('a')).toBe(first)
  expect(running).toHaveLength(1)
})

test('[T19] another token for the same video supersedes the job, and begins when that has ended', async () => {
  const { submit, running, ended, begun, told } = openQueue(2)
  const first = await submit('a', 'one')
  await begun(1)
  const second = await submit('a', 'two')
  await begun(2)
  expect(ended.map(({ jobId }) => jobId)).toEqual([first])
  expect(running[1]?.job.requestToken).toBe('two')
  running[1]?.finish()
  await told(2)
  expect(ended[1]).toMatchObject({ jobId: second, outcome: { status: 'COMPLETE' } })
})

test('[T20] canceling a job that waits does not wait for the one that runs', async () => {
  const { transcoder, submit, running, ended, begun, told } = openQueue()
  await submit('a')
  const waiting = await submit('b')
  await begun(1)
  await transcoder.cancel(waiting)
  await told(1)
  expect(ended).toMatchObject([
    { jobId: waiting, outcome: { status: 'ERROR', errorMessage: 'Transcoding was canceled.' } },
  ])
  running[0]?.finish()
  await submit('c')
  await begun(2)
  expect(running.map(({ job }) => job.videoId)).toEqual(['a', 'c'])
})

test('[T20] stopping ends every job without a report, and takes no more', async () => {
  const { transcoder, submit, ended, begun } = openQueue()
  await submit('a')
  await submit('b')
  await begun(1)
  await transcoder.stop()
  expect(ended).toEqual([])
  await expect(submit('c')).rejects.toThrow()
  await transcoder.cancel('unknown')
})
