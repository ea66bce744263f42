import type { HlsComplete, HlsSubmitted, Source } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { fakeTranscoder, recordedLog, recordedWait, video } from '../test/fakes.ts'
import type { EndedJob } from './job-ended.ts'
import { createPipeline } from './pipeline.ts'

class Gone extends Error {}

/** A record of the server, as far as the functions see it: what happened to it, in order. */
function world(probe?: (storageKey: string) => Promise<Source>) {
  const made = fakeTranscoder(probe)
  const history: (HlsSubmitted | HlsComplete | number)[] = []
  let isDeleted = false
  let isAway = false
  const note = async (entry: (typeof history)[number]) => {
    if (isAway) throw new Error('the database is away')
    if (isDeleted) throw new Gone()
    history.push(entry)
  }
  const { pauses, wait } = recordedWait()
  const log = recordedLog()
  const pipeline = createPipeline({
    transcoder: made.transcoder,
    media: {
      submitted: (_videoId, job) => note(job),
      progressed: (_videoId, { progress }) => note(progress),
      completed: (_videoId, outcome) => note(outcome),
    },
    isGone: (error) => error instanceof Gone,
    now: () => 1_000,
    wait,
    log,
  })
  return {
    ...made,
    history,
    pauses,
    ...pipeline,
    remove: () => {
      isDeleted = true
    },
    fail: () => {
      isAway = true
    },
  }
}

const original = (writing = '1') => ({
  videoId: 'vid_7',
  storageKey: 'videos/vid_7/original/film.mp4',
  writing,
})
const ended = (jobId: string, outcome: EndedJob['outcome'] = complete): EndedJob => ({
  videoId: 'vid_7',
  jobId,
  at: 0,
  outcome,
})
const complete: EndedJob['outcome'] = { status: 'COMPLETE', outputGroupDetails: [] }

describe('the functions in one process', () => {
  test('[J17] take an upload to a job, and its end to the record', async () => {
    const { submit, progressed, jobEnded, jobs, history } = world()
    await submit(original())
    const [jobId = ''] = jobs.keys()
    await progressed('vid_7', { jobId, progress: 0.5 })
    await jobEnded(ended(jobId))
    expect(history).toEqual([
      { jobId, durationMs: 180_041, width: 1280, height: 720, levels: ['360p', '480p', '720p'] },
      0.5,
      { status: 'ready', hlsManifestKey: 'videos/vid_7/hls/master.m3u8', jobId, outputs: [] },
    ])
  })

  test('[J8] report a job of our own that failed, with its message', async () => {
    const { jobEnded, history } = world()
    await jobEnded(ended('job-1', { status: 'ERROR', errorMessage: ' no\0 ' }))
    expect(history).toEqual([{ status: 'failed', error: 'no', jobId: 'job-1' }])
  })

  test('[J18] report a job that ends before its id is recorded after that', async () => {
    const { submit, jobEnded, history, transcoder } = world()
    const accept = transcoder.submit
    let reported: Promise<void> | undefined
    transcoder.submit = async (job) => {
      const jobId = await accept(job)
      reported = jobEnded(ended(jobId))
      return jobId
    }
    await submit(original())
    await reported
    expect(history.map((entry) => Object.hasOwn(entry as object, 'status'))).toEqual([false, true])
  })

  test('[J19] submit a video once at a time, and again afterwards', async () => {
    let release = (_source: Source): void => undefined
    let probes = 0
    const { submit, jobs } = world(() => {
      probes += 1
      return new Promise((resolve) => {
        release = resolve
      })
    })
    const first = submit(original('1'))
    const second = submit(original('2'))
    release(video)
    await Promise.all([first, second])
    expect([probes, jobs.size]).toEqual([1, 1])
    const third = submit(original('3'))
    release(video)
    await third
    expect([probes, jobs.size]).toEqual([2, 2])
  })

  test('[J6,J12] tell nobody of a video that has been deleted', async () => {
    const { submit, jobEnded, remove, jobs, canceled, history } = world()
    remove()
    await submit(original())
    const [jobId = ''] = jobs.keys()
    expect(canceled).toEqual([jobId])
    await jobEnded(ended(jobId))
    expect(history).toEqual([])
  })

  test('[J5,J10] reject if the record cannot be written', async () => {
    const { submit, jobEnded, fail, pauses } = world()
    fail()
    await expect(submit(original())).rejects.toThrow('away')
    await expect(jobEnded(ended('job-1'))).rejects.toThrow('away')
    expect(pauses).toEqual([1_000, 4_000, 1_000, 4_000])
  })
})
