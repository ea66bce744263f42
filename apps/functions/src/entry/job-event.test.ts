import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fakeServer, recordedLog, recordedWait } from '../../test/fakes.ts'
import { golden } from '../../test/golden.ts'
import type { Delivered } from '../backend.ts'
import { handleJobEvent } from './job-event.ts'

const jobId = '1794813000000-opn151'
const endedAt = Date.parse('2026-11-16T07:10:00Z')

function world(answer?: () => Promise<Delivered>, now = () => endedAt + 2_000) {
  const server = fakeServer(answer)
  const log = recordedLog()
  const { pauses, wait } = recordedWait()
  const { postComplete, postProgress } = server
  return {
    ...server,
    log,
    pauses,
    handle: (event: unknown) => handleJobEvent(event, { postComplete, postProgress, now, wait, log }),
  }
}

function changed(name: string, detail: Record<string, unknown>) {
  const event = golden(name)
  return { ...event, detail: { ...event.detail, ...detail } }
}

describe('the end of a job', () => {
  test('[J7] COMPLETE makes the video ready, with the master playlist and the outputs', async () => {
    const { handle, completed } = world()
    await handle(golden('job-complete'))
    const outputs = golden('job-complete').detail.outputGroupDetails
    expect(completed).toEqual([
      ['vid_7', { status: 'ready', hlsManifestKey: 'videos/vid_7/hls/master.m3u8', jobId, outputs }],
    ])
  })

  test('[J7] leaves out outputs that are too large for a request, or too many', async () => {
    const { handle, completed } = world()
    await handle(changed('job-complete', { outputGroupDetails: [{ padding: 'x'.repeat(600_000) }] }))
    await handle(changed('job-complete', { outputGroupDetails: Array(101).fill({}) }))
    for (const [, outcome] of completed) expect(outcome).not.toHaveProperty('outputs')
    expect(completed).toHaveLength(2)
  })

  test('[J8] ERROR makes it failed, with the message of the job', async () => {
    const { handle, completed } = world()
    await handle(golden('job-error'))
    const error = 'Unable to open input file: The file is incomplete.'
    expect(completed).toEqual([['vid_7', { status: 'failed', error, jobId }]])
  })

  test.each([undefined, null, '', '  ', '\0'])(
    '[J8] ERROR with the message %j is an unknown error',
    async (errorMessage) => {
      const { handle, completed } = world()
      await handle(changed('job-error', { errorMessage }))
      expect(completed).toEqual([['vid_7', { status: 'failed', error: 'Unknown error', jobId }]])
    },
  )

  test('[J8] a message is shortened to what the server takes', async () => {
    const { handle, completed } = world()
    await handle(changed('job-error', { errorMessage: `\0${'x'.repeat(10_000)}` }))
    expect(completed).toEqual([['vid_7', { status: 'failed', error: 'x'.repeat(4_000), jobId }]])
  })

  test('[J8,R33] CANCELED is a failure', async () => {
    const { handle, completed } = world()
    await handle(changed('job-error', { status: 'CANCELED', errorMessage: undefined }))
    expect(completed).toEqual([
      ['vid_7', { status: 'failed', error: 'The transcode job was canceled', jobId }],
    ])
  })

  test.each([
    'SUBMITTED',
    'PROGRESSING',
    'INPUT_INFORMATION',
    'NEW_WARNING',
    'QUEUE_HOP',
    'complete',
    'STATUS_UPDATE',
  ])('[J9,R33] %s changes nothing', async (status) => {
    const { handle, completed, progressed } = world()
    await handle(changed('job-complete', { status }))
    expect([...completed, ...progressed]).toEqual([])
  })

  test('[J9] STATUS_UPDATE carries progress, which may be lost', async () => {
    const { handle, completed, progressed } = world(async () => {
      throw new Error('away')
    })
    await handle(golden('job-status-update'))
    expect(progressed).toEqual([['vid_7', { jobId, progress: 0.26 }]])
    expect(completed).toEqual([])
  })
})

describe('an event that is not of one of our jobs', () => {
  test('[J9] is ignored', async () => {
    const { handle, completed, log } = world()
    await handle(changed('job-complete', { userMetadata: {} }))
    await handle(changed('job-complete', { userMetadata: { videoId: '../vid_7' } }))
    await handle(golden('s3-event-bridge'))
    expect(completed).toEqual([])
    expect(new Set(log.messages)).toEqual(new Set(['the event is not of one of our jobs']))
  })

  test('[J9] may be anything', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (value) => {
        const { handle, completed } = world()
        await handle(value)
        await handle({ ...golden('job-complete'), detail: value })
        expect(completed).toEqual([])
      }),
    )
  })
})

describe('a server that cannot be told', () => {
  const away = () => {
    let calls = 0
    return async (): Promise<Delivered> => {
      calls += 1
      if (calls <= 2) throw new Error('the server answered 503')
      return 'recorded'
    }
  }

  test('[J10] is told at the third attempt', async () => {
    const { handle, completed, pauses } = world(away())
    await handle(golden('job-complete'))
    expect(completed).toHaveLength(3)
    expect(pauses).toEqual([1_000, 4_000])
  })

  test('[J10] three times makes the function fail', async () => {
    const { handle, completed } = world(async () => {
      throw new Error('the server answered 503')
    })
    await expect(handle(golden('job-complete'))).rejects.toThrow('503')
    expect(completed).toHaveLength(3)
  })

  test('[J11] is not told of an event that is older than an hour', async () => {
    const { handle, completed, log } = world(undefined, () => endedAt + 3_600_001)
    await handle(golden('job-complete'))
    expect(completed).toEqual([])
    expect(log.messages).toEqual(['event dropped: it is older than an hour'])
  })

  test('[J11] is still told of one that is exactly an hour old, or that does not say when it happened', async () => {
    const { handle, completed } = world(undefined, () => endedAt + 3_600_000)
    await handle(golden('job-complete'))
    await handle({ ...golden('job-complete'), time: 'yesterday' })
    expect(completed).toHaveLength(2)
  })

  test('[J11] is not told any more when the hour ends between two attempts', async () => {
    let now = endedAt + 3_599_000
    const { handle, completed, log } = world(
      async () => {
        now += 2_000
        throw new Error('away')
      },
      () => now,
    )
    await handle(golden('job-complete'))
    expect(completed).toHaveLength(1)
    expect(log.messages).toEqual(['event dropped: it is older than an hour'])
  })

  test('[J12] because the video is gone counts as told', async () => {
    const { handle, completed } = world(async () => 'gone')
    await handle(golden('job-complete'))
    expect(completed).toHaveLength(1)
  })
})
