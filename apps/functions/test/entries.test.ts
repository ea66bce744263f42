import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { golden } from './golden.ts'
import { type SeenRequest, startStub } from './stub-service.ts'

/** MediaConvert and the server at one address. */
function answer({ path }: SeenRequest) {
  if (path === '/2017-08-29/probe') return { status: 200, body: golden('probe-portrait') }
  if (path === '/2017-08-29/jobs') return { status: 201, body: { job: { id: '1794813000000-opn151' } } }
  return { status: 200, body: { success: true } }
}

describe('The functions as the cloud runs them', () => {
  let stub: Awaited<ReturnType<typeof startStub>>
  beforeAll(async () => {
    stub = await startStub(answer)
    const env = {
      BACKEND_URL: stub.url,
      INTERNAL_API_KEY: 'a-shared-secret',
      VIDEO_BUCKET: 'study-videos',
      TRANSCODER_ROLE: 'arn:aws:iam::111122223333:role/MediaConvert',
      TRANSCODER_ENDPOINT: stub.url,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
    }
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
    await stub?.stop()
  })

  test('[J2] the submit function takes an upload to MediaConvert and tells the server', async () => {
    const { handler } = await import('../src/entry/submit.ts')
    await handler(golden('s3-notification'))
    expect(stub.seen.map(({ path }) => path)).toEqual([
      '/2017-08-29/probe',
      '/2017-08-29/jobs',
      '/api/internal/videos/vid_7/hls-submitted',
    ])
    expect(stub.seen.at(-1)?.body).toEqual({
      jobId: '1794813000000-opn151',
      durationMs: 12_512,
      width: 1080,
      height: 1920,
      levels: ['360p', '480p', '720p', '1080p'],
    })
  })

  test('[J7] the callback function tells the server how the job ended', async () => {
    const { handler } = await import('../src/entry/callback.ts')
    const event = { ...golden('job-complete'), time: new Date().toISOString() }
    await handler(event)
    expect(stub.seen.at(-1)).toMatchObject({
      path: '/api/internal/videos/vid_7/hls-complete',
      body: { status: 'ready', hlsManifestKey: 'videos/vid_7/hls/master.m3u8' },
    })
  })
})
