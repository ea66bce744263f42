import { levelsFor, UnusableSource } from '@atrium/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fakeServer, fakeTranscoder, recordedLog, recordedWait, video } from '../../test/fakes.ts'
import { golden } from '../../test/golden.ts'
import type { Delivered } from '../backend.ts'
import { handleUploadEvent, storedOriginals } from './upload-event.ts'

const bucket = 'study-videos'
const storageKey = 'videos/vid_7/original/Café am Meer 100%+.mp4'
const notification = () => golden('s3-notification')
const bridgeEvent = () => golden('s3-event-bridge')

function world(probe?: Parameters<typeof fakeTranscoder>[0], answer?: () => Promise<Delivered>) {
  const server = fakeServer(answer)
  const made = fakeTranscoder(probe)
  const log = recordedLog()
  const { pauses, wait } = recordedWait()
  return {
    ...made,
    server,
    log,
    pauses,
    handle: (event: unknown) =>
      handleUploadEvent(event, bucket, {
        transcoder: made.transcoder,
        reportSubmitted: server.reportSubmitted,
        reportFailed: (videoId, error) => server.postComplete(videoId, { status: 'failed', error }),
        wait,
        log,
      }),
  }
}

describe('[J1] the originals that an event announces', () => {
  test.each([
    ['an S3 notification', notification],
    ['EventBridge', bridgeEvent],
  ])('are found in the event of %s, with the key as it is', (_name, event) => {
    expect(storedOriginals(event(), bucket)).toMatchObject([{ videoId: 'vid_7', storageKey }])
  })

  test('are none for objects that are not originals, or that are in another bucket', () => {
    for (const key of [
      'videos/vid_7/hls/master.m3u8',
      'videos/vid_7/hls/original/master_360p_00001.ts',
      'videos/vid_7/original/',
      'videos/vid_7/original/a/b.mp4',
      'exports/vid_7/original/film.mp4',
      'videos/../original/film.mp4',
      'videos/vid 7/original/film.mp4',
    ]) {
      const bridged = bridgeEvent()
      bridged.detail.object.key = key
      expect(storedOriginals(bridged, bucket)).toEqual([])
      const event = notification()
      event.Records[0].s3.object.key = encodeURIComponent(key)
      expect(storedOriginals(event, bucket)).toEqual([])
    }
    expect(storedOriginals(notification(), 'another-bucket')).toEqual([])
    expect(storedOriginals(bridgeEvent(), 'another-bucket')).toEqual([])
  })

  test('are none for test events, deletions and other kinds of events', () => {
    const removed = notification()
    removed.Records[0].eventName = 'ObjectRemoved:Delete'
    const badlyEncoded = notification()
    badlyEncoded.Records[0].s3.object.key = 'videos/vid_7/original/100%.mp4'
    const others = [
      golden('s3-test-event'),
      removed,
      badlyEncoded,
      { ...bridgeEvent(), 'detail-type': 'Object Deleted' },
      golden('job-complete'),
      { Records: [] },
    ]
    for (const event of others) expect(storedOriginals(event, bucket)).toEqual([])
  })

  test('are several where several records say so, from other stores too', () => {
    const event = notification()
    const [record] = event.Records
    const other = structuredClone(record)
    other.eventName = 's3:ObjectCreated:Copy'
    other.s3.object.key = 'videos/vid_8/original/b.mp4'
    event.Records.push(other)
    expect(storedOriginals(event, bucket).map(({ videoId }) => videoId)).toEqual(['vid_7', 'vid_8'])
  })

  test('are none in any other value', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(storedOriginals(value, bucket)).toEqual([])
        expect(storedOriginals({ Records: [value] }, bucket)).toEqual([])
        expect(storedOriginals({ ...bridgeEvent(), detail: value }, bucket)).toEqual([])
      }),
    )
  })
})

describe('an upload', () => {
  test.each([
    ['an S3 notification', notification],
    ['EventBridge', bridgeEvent],
  ])(
    '[J2] announced by %s becomes a job of the levels that fit, and the server is told',
    async (_name, event) => {
      const { handle, jobs, server } = world()
      await handle(event())
      const [[jobId, job] = ['']] = jobs
      expect(job).toMatchObject({
        videoId: 'vid_7',
        storageKey,
        source: video,
        levels: ['360p', '480p', '720p'],
      })
      expect(server.submitted).toEqual([
        ['vid_7', { jobId, durationMs: 180_041, width: 1280, height: 720, levels: ['360p', '480p', '720p'] }],
      ])
      expect(server.completed).toEqual([])
    },
  )

  test('[J2] is told to the server in up to three attempts', async () => {
    let calls = 0
    const { handle, server, pauses } = world(undefined, async () => {
      calls += 1
      if (calls < 3) throw new Error('away')
      return 'recorded'
    })
    await handle(bridgeEvent())
    expect(server.submitted).toHaveLength(3)
    expect(pauses).toEqual([1_000, 4_000])
  })

  test('[J3] that is announced twice makes one job, and a copy onto itself makes another', async () => {
    const { handle, jobs } = world()
    await handle(bridgeEvent())
    await handle(bridgeEvent())
    await handle(notification())
    expect(jobs.size).toBe(1)
    const copied = bridgeEvent()
    copied.detail.object.sequencer = '0064D3901D00059999'
    await handle(copied)
    expect(jobs.size).toBe(2)
    for (const { requestToken } of jobs.values()) expect(requestToken).toMatch(/^[0-9a-f]{64}$/)
  })

  test('[J3] is told apart by its time where the store sends no sequencer', async () => {
    const { handle, jobs } = world()
    const event = notification()
    delete event.Records[0].s3.object.sequencer
    await handle(event)
    await handle(structuredClone(event))
    expect(jobs.size).toBe(1)
    event.Records[0].eventTime = '2026-11-16T07:30:00.000Z'
    await handle(event)
    expect(jobs.size).toBe(2)
  })

  test('[J4] of a file that is no video is reported as failed, with the reason', async () => {
    const { handle, jobs, server } = world(async () => {
      throw new UnusableSource('This file has sound but no picture.')
    })
    await handle(bridgeEvent())
    expect(server.completed).toEqual([
      ['vid_7', { status: 'failed', error: 'This file has sound but no picture.' }],
    ])
    expect(jobs.size + server.submitted.length).toBe(0)
  })

  test('[J5] that cannot be handled now rejects, and reports nothing', async () => {
    const { handle, server } = world(async () => {
      throw new Error('too many requests')
    })
    await expect(handle(bridgeEvent())).rejects.toThrow('too many requests')
    expect(server.completed).toEqual([])
  })

  test('[J5] that cannot be handled does not stop the others of the same event', async () => {
    const { handle, server } = world(async (key) => {
      if (key.includes('vid_7')) throw new Error('too many requests')
      return video
    })
    const event = notification()
    const other = structuredClone(event.Records[0])
    other.s3.object.key = 'videos/vid_8/original/b.mp4'
    event.Records.push(other)
    await expect(handle(event)).rejects.toThrow('too many requests')
    expect(server.submitted.map(([videoId]) => videoId)).toEqual(['vid_8'])
  })

  test('[J6] whose video has been deleted meanwhile loses its job', async () => {
    const { handle, jobs, canceled } = world(undefined, async () => 'gone')
    await handle(bridgeEvent())
    expect(canceled).toEqual([...jobs.keys()])
  })

  test('[J2] of any height has the lowest level, and none above its height', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5_000 }), async (height) => {
        const { handle, jobs } = world(async () => ({ ...video, height }))
        await handle(bridgeEvent())
        const [job] = jobs.values()
        expect(job?.levels).toEqual(levelsFor(height).map(({ name }) => name))
        expect(job?.levels[0]).toBe('360p')
      }),
    )
  })
})
