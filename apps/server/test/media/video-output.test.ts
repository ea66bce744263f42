import { objectKeys, uploadRoutes, videoRoutes } from '@atrium/contract'
import { codeOf, succeeded, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { readVideo, readyVideo, report, submittedTimes } from './media-world.ts'
import { job, videoStage } from './video-stage.ts'

const { stage, stored } = videoStage()

test('[V5,V7,V8] the record follows the reports of a job', async () => {
  const { ada } = stage()
  const videoId = await stored()
  const read = () => readVideo(stage(), ada.token, videoId)
  expect((await report(stage(), videoId, 'submitted', job)).status).toBe(200)
  expect(await read()).toMatchObject({
    hlsStatus: 'processing',
    progress: 0,
    durationMs: 6_006,
    width: 1_280,
    height: 720,
    levels: [],
  })
  await report(stage(), videoId, 'progress', { jobId: 'job-1', progress: 0.5 })
  await report(stage(), videoId, 'progress', { jobId: 'job-1', progress: 0.25 })
  expect(await read()).toMatchObject({ hlsStatus: 'processing', progress: 0.5 })
  const ready = { status: 'ready', jobId: 'job-1', hlsManifestKey: objectKeys.manifest(videoId), outputs: [] }
  expect(await report(stage(), videoId, 'complete', ready)).toEqual({ status: 200, body: { success: true } })
  expect(await read()).toMatchObject({
    hlsStatus: 'ready',
    hlsManifestKey: objectKeys.manifest(videoId),
    hlsError: null,
    hlsCompletedAt: expect.any(String),
    progress: null,
    levels: job.levels,
    playbackUrl: expect.stringMatching(/^\/media\/\d+\.[\w-]{43}\/videos\/.+\/hls\/master\.m3u8$/),
    posterUrl: null,
  })
  await report(stage(), videoId, 'complete', { status: 'failed' })
  expect(await read()).toMatchObject({
    hlsStatus: 'failed',
    hlsManifestKey: null,
    hlsError: 'Unknown error',
    playbackUrl: null,
    levels: [],
  })
})

test('[R33] a report about an unknown video, with a foreign manifest or without the key is refused', async () => {
  const videoId = await stored()
  const failed = { status: 'failed', error: 'x' }
  expect(await report(stage(), 'vid_none', 'complete', failed)).toMatchObject({
    status: 404,
    body: { code: 'VIDEO_NOT_FOUND', error: 'Video not found' },
  })
  const output = objectKeys.hlsPrefix(videoId)
  for (const hlsManifestKey of [
    'videos/other/hls/master.m3u8',
    output,
    `${output}../../other/hls/master.m3u8`,
    `${output}deeper/master.m3u8`,
    `${output}.m3u8`,
    `${output}master.ts`,
    `${output}a\0.m3u8`,
    `${output}${'a'.repeat(300)}.m3u8`,
  ])
    expect(
      await report(stage(), videoId, 'complete', { status: 'ready', hlsManifestKey }),
      hlsManifestKey,
    ).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  const huge = { ...job, width: 1e300 }
  expect((await report(stage(), videoId, 'submitted', huge)).status).toBe(400)
  expect(await readVideo(stage(), stage().ada.token, videoId)).toMatchObject({ hlsStatus: 'pending' })
})

test('[V6] an administrator’s retry copies the original onto itself and supersedes the job', async () => {
  const { ada, admin, api, memory, cancelled } = stage()
  const videoId = await readyVideo(stage(), ada.token)
  const retry = (token: string, id = videoId) =>
    api.call(videoRoutes.retry, { token, params: { videoId: id } })
  expect((await retry(ada.token)).status).toBe(403)
  const unknown = await retry(admin, 'vid_none')
  expect([unknown.status, unknown.body]).toMatchObject([404, { error: 'Video not found' }])
  expect(succeeded(await retry(admin))).toEqual({ success: true, message: 'Retry initiated' })
  expect(memory.touched).toContain(objectKeys.original(videoId, 'film.mp4'))
  expect(cancelled).toContain(`job-${videoId}`)
  expect(await readVideo(stage(), ada.token, videoId)).toMatchObject({ hlsStatus: 'pending', hlsError: null })
  await submittedTimes(stage(), videoId, 2)
  expect(
    stage()
      .submitted.filter((video) => video.videoId === videoId)
      .map(({ attempt }) => attempt),
  ).toEqual([1, 2])
  const late = { status: 'failed', jobId: `job-${videoId}`, error: 'too late' }
  expect((await report(stage(), videoId, 'complete', late)).status).toBe(200)
  expect(await readVideo(stage(), ada.token, videoId)).toMatchObject({ hlsStatus: 'pending', hlsError: null })
  const body = { filename: 'a.mp4', contentType: 'video/mp4', fileSize: 5 }
  const begun = succeeded(await api.call(uploadRoutes.initiate, { token: ada.token, body }))
  expect(codeOf(await retry(admin, begun.videoId))).toBe('UPLOAD_UNFINISHED')
})

test('[V5] a video that cannot be submitted waits and says why', async () => {
  const { ada, refusal } = stage()
  refusal.error = new Error('ffmpeg is not installed on the server.')
  const videoId = await stored()
  await waitUntil(async () => {
    const { hlsNote, hlsStatus } = await readVideo(stage(), ada.token, videoId)
    return (hlsStatus === 'pending' && hlsNote === refusal.error?.message) || `${hlsStatus}: ${hlsNote}`
  })
})

test('[R32,V11,V22] output is played from a signed path, by range and from any site, and from no other path', async () => {
  const { ada, http } = stage()
  const videoId = await readyVideo(stage(), ada.token)
  const { playbackUrl, posterUrl } = await readVideo(stage(), ada.token, videoId)
  const master = http + playbackUrl
  const played = await fetch(master)
  expect([played.status, await played.text()]).toEqual([200, '#EXTM3U\n'])
  expect(Object.fromEntries(played.headers)).toMatchObject({
    'content-type': 'application/vnd.apple.mpegurl',
    'access-control-allow-origin': '*',
    'accept-ranges': 'bytes',
    'cache-control': 'public, max-age=10',
  })
  expect((await fetch(http + posterUrl)).headers.get('content-type')).toBe('image/jpeg')
  // Entries of a playlist are relative, so they inherit the credential.
  const segment = new URL('master_360p_00001.ts', master).href
  const ranged = await fetch(segment, { headers: { range: 'bytes=2-4' } })
  expect([ranged.status, await ranged.text(), ranged.headers.get('content-range')]).toEqual([
    206,
    '234',
    'bytes 2-4/10',
  ])
  expect(ranged.headers.get('content-type')).toBe('video/mp2t')
  expect(await (await fetch(segment, { headers: { range: 'bytes=-3' } })).text()).toBe('789')
  const beyond = await fetch(segment, { headers: { range: 'bytes=10-' } })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10'])
  const head = await fetch(segment, { method: 'HEAD', headers: { range: 'bytes=0-4' } })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([206, '5', ''])
  // Part of a version that the client does not have would be of no use to it.
  const version = ranged.headers.get('etag') ?? ''
  for (const [range, validator, expected] of [
    ['bytes=2-4', version, [206, '234']],
    ['bytes=2-4', '"another"', [200, '0123456789']],
    ['bytes=2-4', `W/${version}`, [200, '0123456789']],
    ['bytes=50-', '"another"', [200, '0123456789']],
  ] as const) {
    const part = await fetch(segment, { headers: { range, 'if-range': validator } })
    expect([part.status, await part.text()], `${range} ${validator}`).toEqual(expected)
  }
  const etag = played.headers.get('etag') ?? ''
  expect((await fetch(master, { headers: { 'if-none-match': etag } })).status).toBe(304)
  const preflight = await fetch(segment, {
    method: 'OPTIONS',
    headers: { origin: 'https://lab.example.org' },
  })
  expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
    204,
    'Range, If-Range, If-None-Match',
  ])
  const other = await readyVideo(stage(), ada.token)
  const statusOf = async (address: string) => (await fetch(address)).status
  expect(await statusOf(master.replaceAll(videoId, other))).toBe(403)
  expect(await statusOf(master.replace(/\/media\/\d+\./, '/media/1.'))).toBe(403)
  expect(await statusOf(master.replace(/\.[\w-]{43}\//, `.${'A'.repeat(43)}/`))).toBe(403)
  for (const name of [
    'nothing.ts',
    'film.mp4',
    'master',
    '..%2Foriginal%2Ffilm.mp4',
    '%2e%2e%2foriginal.ts',
    'a%00.ts',
  ])
    expect(await statusOf(master.replace('master.m3u8', name)), name).toBe(404)
  stage().memory.trouble.kind = 'away'
  expect(await statusOf(master)).toBe(503)
})
