import { pace, waitUntil } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { type RunOptions, TranscodeFailed } from '../../ports/transcode-runner.ts'
import { type TranscodeJob, UnusableSource } from '../../ports/transcoder.ts'
import { createProgressReports } from './progress-reports.ts'
import { newQueuedJob, type Outcome, type QueuedJob } from './queued-job.ts'
import { createTranscodeRuns, failedOften, killedOften } from './transcode-runs.ts'

const video: TranscodeJob = {
  videoId: 'vid_7',
  storageKey: 'videos/vid_7/original/film.mp4',
  levels: ['360p'],
  source: { durationMs: 6_000, width: 640, height: 360, hasAudio: true },
  requestToken: 'token',
}

/** Runs until it is told to stop. */
const endless = (_job: TranscodeJob, { signal }: RunOptions): Promise<unknown[]> =>
  new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })

function world(runJob: (job: TranscodeJob, options: RunOptions) => Promise<unknown[]> = async () => [{}]) {
  const reported: Outcome[] = []
  const progress: number[] = []
  let kept: QueuedJob = newQueuedJob(video)
  const set = { isSuperseded: false, isAway: false, isGone: false, runs: 0 }
  const runs = createTranscodeRuns({
    runner: {
      probe: async () => video.source,
      runJob(job, options) {
        set.runs += 1
        return runJob(job, options)
      },
    },
    async report({ outcome }) {
      if (set.isAway) throw new Error('the server is away')
      reported.push(outcome)
    },
    async reportProgress(_videoId, { progress: value }) {
      progress.push(value)
      return set.isGone ? 'gone' : 'recorded'
    },
    isSuperseded: async () => set.isSuperseded,
    now: () => 0,
    wait: async () => undefined,
    onError: () => undefined,
    timing: { watchEveryMs: 5, progressEveryMs: 5, minRunMs: 1_000 },
  })
  const update = async (data: QueuedJob) => {
    kept = data
  }
  return {
    set,
    reported,
    progress,
    ...runs,
    kept: () => kept,
    /** As a worker does that takes the job from the queue. */
    take: (data: unknown = kept) => runs.handle({ jobId: 'job-1', data, update }),
    running: () => waitUntil(() => set.runs > 0 || 'it does not run yet'),
  }
}

describe('a job', () => {
  test('[J26] keeps its outcome before it is reported', async () => {
    const { take, kept, reported, set } = world()
    set.isAway = true
    await expect(take()).rejects.toThrow('away')
    expect(kept().ended?.outcome).toEqual({ status: 'COMPLETE', outputGroupDetails: [{}] })
    set.isAway = false
    expect(await take()).toBe('complete')
    expect(reported).toHaveLength(1)
    expect(set.runs, 'it runs once, however often it is reported').toBe(1)
  })

  test('[J25] of a file that is no video fails at once, with the reason', async () => {
    const { take, reported, set } = world(async () => {
      throw new UnusableSource('This file is damaged.')
    })
    expect(await take()).toBe('failed')
    expect(reported).toEqual([{ status: 'ERROR', errorMessage: 'This file is damaged.' }])
    expect(set.runs).toBe(1)
  })

  test('[J25] that fails is run three times in all', async () => {
    const { take, reported, set } = world(async () => {
      throw new Error('no space left on device')
    })
    await expect(take()).rejects.toThrow('no space')
    await expect(take()).rejects.toThrow('no space')
    expect(reported).toEqual([])
    expect(await take()).toBe('failed')
    expect(reported).toEqual([{ status: 'ERROR', errorMessage: failedOften }])
    expect(set.runs).toBe(3)
  })

  test('[J25] that fails three times says why, if researchers understand it', async () => {
    const { take, reported } = world(async () => {
      throw new TranscodeFailed('There was not enough space for the video.')
    })
    for (const _run of [1, 2]) await expect(take()).rejects.toThrow('space')
    expect(await take()).toBe('failed')
    expect(reported).toEqual([{ status: 'ERROR', errorMessage: 'There was not enough space for the video.' }])
  })

  test('[J22] whose worker was killed three times is not run again', async () => {
    const { take, kept, reported, set } = world(endless)
    for (let run = 1; run <= 3; run++) {
      void take()
      await waitUntil(() => kept().runs === run || `${kept().runs} runs`)
    }
    expect(await take()).toBe('failed')
    expect(reported).toEqual([{ status: 'ERROR', errorMessage: killedOften }])
    expect(set.runs).toBe(3)
  })

  test('[J23] that is handed back does not count as run', async () => {
    const { take, kept, running, stopAll, reported } = world(endless)
    const end = take()
    await running()
    stopAll()
    expect(await end).toBe('stopping')
    expect(kept()).toEqual(newQueuedJob(video))
    expect(reported).toEqual([])
    expect(await take(), 'one that comes while the worker stops is handed back too').toBe('stopping')
  })

  test('[J24] that is superseded while it waits does not run', async () => {
    const { take, set, reported } = world()
    set.isSuperseded = true
    expect(await take()).toBe('superseded')
    expect([set.runs, reported]).toEqual([0, []])
  })

  test('[J24] that is superseded while it runs stops without a report', async () => {
    const { take, set, running, reported } = world(endless)
    const end = take()
    await running()
    set.isSuperseded = true
    expect(await end).toBe('superseded')
    expect(reported).toEqual([])
  })

  test('[J24] whose video has been deleted stops without a report', async () => {
    const { take, set, reported } = world((job, options) => {
      options.onProgress(0.1)
      return endless(job, options)
    })
    set.isGone = true
    expect(await take()).toBe('superseded')
    expect(reported).toEqual([])
  })

  test('[J28] that belongs to another worker now stops without a report, and keeps its count', async () => {
    const { take, kept, running, stop, reported } = world(endless)
    const end = take()
    await running()
    stop('job-1', 'lost')
    expect(await end).toBe('lost')
    expect(kept().runs).toBe(1)
    expect(reported).toEqual([])
  })

  test('that this version cannot read is left alone', async () => {
    const { take, set } = world()
    expect(await take({ videoId: 'vid_7' })).toBe('unreadable')
    expect(set.runs).toBe(0)
  })
})

describe('[J27] progress', () => {
  test('is reported from time to time, and only forward', async () => {
    const { take, progress } = world(async (_job, { onProgress }) => {
      for (const value of [0, 0.2, 0.1, 0.5, 0.4, 1.5]) {
        onProgress(value)
        await pace(10)
      }
      return []
    })
    await take()
    expect(progress).toEqual(progress.toSorted())
    expect(progress.every((value, index) => value !== progress[index - 1] && value <= 1)).toBe(true)
  })

  test('that could not be reported is replaced by the next', async () => {
    const sent: number[] = []
    const reports = createProgressReports(5, async (value) => {
      sent.push(value)
      if (sent.length === 1) throw new Error('the server is away')
    })
    reports.observe(0.3)
    await waitUntil(() => sent.length >= 2 || `${sent.length} were sent`)
    reports.stop()
    expect(sent).toEqual([0.3, 0.3])
  })
})
