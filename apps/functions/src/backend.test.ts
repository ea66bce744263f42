import type { HlsComplete, HlsSubmitted } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StubAnswer, startStub } from '../test/stub-service.ts'
import { type Backend, createBackend } from './backend.ts'

const job: HlsSubmitted = { jobId: 'j', durationMs: null, width: 1, height: 1, levels: ['360p'] }
const progress = { jobId: 'j', progress: 0.5 }
const failed: HlsComplete = { status: 'failed', error: 'no', jobId: 'j' }

describe('the server’s internal routes', () => {
  let stub: Awaited<ReturnType<typeof startStub>>
  let answer: StubAnswer
  beforeAll(async () => {
    stub = await startStub(() => answer)
  })
  afterAll(() => stub?.stop())
  const backend = (path = '') => createBackend({ url: `${stub.url}${path}`, key: 'a-shared-secret' })

  test.each<[string, string, (told: Backend) => Promise<unknown>, unknown]>([
    ['submitted', 'hls-submitted', (told) => told.submitted('vid_7', job), job],
    ['under way', 'hls-progress', (told) => told.progressed('vid_7', progress), progress],
    ['over', 'hls-complete', (told) => told.completed('vid_7', failed), failed],
  ])('[J13] are told that a job is %s, with the key', async (_name, path, tell, body) => {
    answer = { status: 200, body: { success: true } }
    expect(await tell(backend())).toBe('recorded')
    const { method, path: called, headers, body: sent } = stub.seen.at(-1) ?? expect.fail()
    expect([method, called, headers['x-internal-key'], headers['content-type']]).toEqual([
      'POST',
      `/api/internal/videos/vid_7/${path}`,
      'a-shared-secret',
      'application/json',
    ])
    expect(sent).toEqual(body)
  })

  test('[J13] may be behind a path', async () => {
    answer = { status: 200 }
    await backend('/atrium/').progressed('vid_7', { jobId: 'j', progress: 1 })
    expect(stub.seen.at(-1)?.path).toBe('/atrium/api/internal/videos/vid_7/hls-progress')
  })

  test('[J12] say that a video is gone', async () => {
    answer = { status: 404, body: { error: 'Video not found', code: 'VIDEO_NOT_FOUND', details: {} } }
    expect(await backend().completed('vid_7', { status: 'failed' })).toBe('gone')
  })

  test.each([
    [404, { error: 'There is nothing at this address.', code: 'NOT_FOUND' }],
    [401, { error: 'The key is wrong.', code: 'UNAUTHENTICATED' }],
    [503, { error: 'Later.', code: 'UNAVAILABLE' }],
    [302, {}],
    [500, { padding: 'x'.repeat(1_000_000) }],
  ])('[J12,J13] that answer %i have not been told', async (status, body) => {
    answer = { status, body, headers: { location: 'http://127.0.0.1:1/' } }
    await expect(backend().completed('vid_7', { status: 'failed' })).rejects.toThrow()
  })

  test('[J13] that are not there have not been told', async () => {
    const nowhere = createBackend({ url: 'http://127.0.0.1:1', key: 'a-shared-secret' })
    await expect(nowhere.completed('vid_7', { status: 'failed' })).rejects.toThrow()
  })
})
