import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seeded } from '../../../test/seed.ts'
import { changeVideo, newVideo, type Video, type VideoChange } from './video.plan.ts'

const uploaded = newVideo(
  {
    videoId: 'vid_1',
    owner: 'urn:x ada',
    filename: 'film.mp4',
    contentType: 'video/mp4',
    size: 10,
    storageKey: 'videos/vid_1/original/film.mp4',
    uploadId: null,
    createdAt: 1,
  },
  2,
)
const source = { durationMs: 5_000, width: 640, height: 360, levels: ['360p'] as const }
const submitted = (jobId: string): VideoChange => ({
  kind: 'submitted',
  at: 4,
  jobId,
  ...source,
  levels: ['360p'],
})
const ready = {
  status: 'ready',
  manifestKey: 'videos/vid_1/hls/master.m3u8',
  hasPoster: true,
  levels: ['360p', '480p'],
  durationMs: 6_000,
} as const
const ended = (
  jobId: string | null,
  outcome: Extract<VideoChange, { kind: 'completed' }>['outcome'],
  at = 9,
) => ({ kind: 'completed', at, jobId, outcome }) satisfies VideoChange
const failed = (jobId: string | null, error: string | null = 'It broke.') =>
  ended(jobId, { status: 'failed', error })
const after = (...changes: VideoChange[]): Video => changes.reduce(changeVideo, uploaded)

describe('the life of a video', () => {
  test('[V5] a submitted job makes it processing, with what was learned about the source', () => {
    expect(after(submitted('j1'))).toMatchObject({
      ...source,
      jobId: 'j1',
      hls: { status: 'processing', progress: 0 },
    })
  })

  test('[V5] an event that is delivered twice neither restarts a job that has ended nor revives a superseded one', () => {
    const done = after(submitted('j1'), ended('j1', ready))
    expect(changeVideo(done, submitted('j1'))).toBe(done)
    const retried = after(submitted('j1'), { kind: 'retried' })
    expect(changeVideo(retried, submitted('j1'))).toBe(retried)
  })

  test('[V5] a job may end before its submission is reported; the report then adds what it knows', () => {
    const early = after(ended('j1', ready))
    expect(early).toMatchObject({ jobId: 'j1', levels: ready.levels, durationMs: 6_000, width: null })
    const late = changeVideo(early, submitted('j1'))
    expect(late).toMatchObject({ hls: { status: 'ready' }, width: 640, levels: ['360p'] })
  })

  test('[V5] where there is a job or its output, the original is stored, also if nobody recorded it', () => {
    const open: Video = { ...uploaded, storedAt: null }
    expect(changeVideo(open, submitted('j1')).storedAt).toBe(4)
    for (const change of [ended('j1', ready), failed('j1'), ended(null, ready)])
      expect(changeVideo(open, change).storedAt).toBe(9)
    // A failure without a job says nothing about the upload, which may still be completed.
    expect(changeVideo(open, failed(null)).storedAt).toBeNull()
    expect(after(submitted('j1'), ended('j1', ready)).storedAt).toBe(2)
  })

  test('[V8] it is ready with the manifest, or failed with the error or “Unknown error”', () => {
    expect(after(submitted('j1'), ended('j1', ready))).toMatchObject({
      completedAt: 9,
      levels: ['360p'],
      hls: { status: 'ready', manifestKey: ready.manifestKey, hasPoster: true },
    })
    expect(after(submitted('j1'), failed('j1'))).toMatchObject({
      completedAt: 9,
      hls: { status: 'failed', error: 'It broke.' },
    })
    for (const nothing of [null, '', ' \0'])
      expect(after(submitted('j1'), failed('j1', nothing)).hls).toEqual({
        status: 'failed',
        error: 'Unknown error',
      })
    expect(after(failed(null, 'a\0b\ud800')).hls).toEqual({ status: 'failed', error: 'ab\ufffd' })
  })

  test('[V8] a report without a job id counts in any state', () => {
    for (const video of [uploaded, after(submitted('j1')), after(failed('j1')), after(ended('j1', ready))]) {
      expect(changeVideo(video, ended(null, ready)).hls.status).toBe('ready')
      expect(changeVideo(video, failed(null)).hls.status).toBe('failed')
    }
  })

  test('[V8] once a job has succeeded, its late failure is ignored; its late success counts', () => {
    const done = after(submitted('j1'), ended('j1', ready))
    expect(changeVideo(done, failed('j1'))).toBe(done)
    expect(changeVideo(after(submitted('j1'), failed('j1')), ended('j1', ready)).hls.status).toBe('ready')
  })

  test('[R33] a superseded job changes nothing, whether it was retried, lost or replaced', () => {
    for (const video of [
      after(submitted('j1'), { kind: 'retried' }),
      after(submitted('j1'), { kind: 'lost', jobId: 'j1' }),
      after(submitted('j1'), { kind: 'retried' }, submitted('j2')),
      after(submitted('j1'), submitted('j2')),
    ])
      for (const late of [ended('j1', ready), failed('j1'), progress('j1', 0.5)])
        expect(changeVideo(video, late)).toBe(video)
  })

  test('[V6] a retry is possible from any state, and makes a new attempt', () => {
    for (const video of [uploaded, after(submitted('j1')), after(failed('j1')), after(ended('j1', ready))]) {
      const retried = changeVideo(video, { kind: 'retried' })
      expect(retried).toMatchObject({ jobId: null, hls: { status: 'pending', note: null } })
      expect(retried.attempt).toBe(video.attempt + 1)
    }
  })

  test('[V6] only the current job can be lost, and only while it is processing', () => {
    const running = after(submitted('j1'))
    expect(changeVideo(running, { kind: 'lost', jobId: 'j0' })).toBe(running)
    const done = after(submitted('j1'), ended('j1', ready))
    expect(changeVideo(done, { kind: 'lost', jobId: 'j1' })).toBe(done)
    expect(after(submitted('j1'), { kind: 'lost', jobId: 'j1' })).toMatchObject({ attempt: 2, jobId: null })
  })

  test('[V5] the reason why it waits is kept only while it waits', () => {
    const waiting = after({ kind: 'noted', note: 'ffmpeg is not installed.' })
    expect(waiting.hls).toEqual({ status: 'pending', note: 'ffmpeg is not installed.' })
    expect(changeVideo(waiting, submitted('j1')).hls).toEqual({ status: 'processing', progress: 0 })
    const running = after(submitted('j1'))
    expect(changeVideo(running, { kind: 'noted', note: 'x' })).toBe(running)
  })
})

const progress = (jobId: string, value: number): VideoChange => ({
  kind: 'progressed',
  jobId,
  progress: value,
})

const jobId = fc.constantFrom('j1', 'j2', 'j3')
const changes: fc.Arbitrary<VideoChange> = fc.oneof(
  jobId.map(submitted),
  fc.tuple(jobId, fc.double({ min: 0, max: 1, noNaN: true })).map(([id, value]) => progress(id, value)),
  fc.option(jobId).map((id) => ended(id, ready)),
  fc.option(jobId).map((id) => failed(id)),
  fc.constant<VideoChange>({ kind: 'retried' }),
  jobId.map((id): VideoChange => ({ kind: 'lost', jobId: id })),
  fc.constant<VideoChange>({ kind: 'noted', note: 'because' }),
  fc.constant<VideoChange>({ kind: 'stored', at: 3 }),
)

describe('whatever is reported, in whatever order', () => {
  const walk = (check: (before: Video, change: VideoChange, after: Video) => void) =>
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 30 }), (all) => {
        let video = uploaded
        for (const change of all) {
          const next = changeVideo(video, change)
          check(video, change, next)
          video = next
        }
      }),
      seeded,
    )

  test('[V7] progress only moves forward within a job', () =>
    walk((before, _change, next) => {
      if (
        before.hls.status === 'processing' &&
        next.hls.status === 'processing' &&
        before.jobId === next.jobId
      )
        expect(next.hls.progress).toBeGreaterThanOrEqual(before.hls.progress)
    }))

  test('[R33] a job that was superseded never counts again', () =>
    walk((before, change, next) => {
      if ('jobId' in change && change.jobId !== null && before.formerJobs.includes(change.jobId))
        expect(next).toBe(before)
    }))

  test('[V6] the current job is never a former one, and attempts only grow', () =>
    walk((before, _change, next) => {
      expect(next.formerJobs).not.toContain(next.jobId)
      expect(next.attempt).toBeGreaterThanOrEqual(before.attempt)
      if (next.hls.status === 'pending') expect(next.jobId).toBeNull()
    }))

  test('repeating a report changes nothing more than the time', () =>
    walk((_before, change, next) => {
      if (change.kind !== 'retried') expect(changeVideo(next, change)).toEqual(next)
    }))
})
