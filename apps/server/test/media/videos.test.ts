import {
  experimentRoutes,
  objectKeys,
  participantRoutes,
  shareRoutes,
  uploadRoutes,
  type VideoRecord,
  videoRoutes,
} from '@atrium/contract'
import {
  codeOf,
  createPerson,
  createResearcher,
  smallestDefinition,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { afterEach, expect, test } from 'vitest'
import { shakeHands } from '../security/shake-hands.ts'
import { mediaStage, raisedTimes, readVideo, readyVideo, report, uploadFile } from './media-world.ts'

const stage = mediaStage()
afterEach(() => {
  stage().memory.trouble.kind = undefined
  stage().refusal.error = undefined
})

const film = (videoId: string, more: object = {}) => ({ id: 'film', type: 'video', videoId, ...more })
const studyWith = (videoId: string) => smallestDefinition({ globalComponents: [film(videoId)] })
const stored = async (token = stage().ada.token) => (await uploadFile(stage(), token)).body.videoId
const job = { jobId: 'job-1', durationMs: 6_006, width: 1_280, height: 720, levels: ['360p', '480p', '720p'] }
const listed = async (token: string): Promise<string[]> =>
  succeeded(await stage().api.call(videoRoutes.list, { token })).videos.map(({ videoId }) => videoId)

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
  await raisedTimes(stage(), videoId, 2)
  expect(
    stage()
      .raised.filter((video) => video.videoId === videoId)
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

test('[R31,R37] researchers see their own videos and those of experiments that they may see', async () => {
  const { ada, bob, admin, api } = stage()
  const videoId = await stored()
  const experimentId = await ada.openExperiment(studyWith(videoId))
  const readAs = async (token: string) => await api.call(videoRoutes.read, { token, params: { videoId } })
  expect(codeOf(await readAs(bob.token))).toBe('VIDEO_NOT_FOUND')
  expect(await listed(bob.token)).not.toContain(videoId)
  const usedBy = [{ experimentId, name: 'A small study' }]
  expect(succeeded(await readAs(ada.token))).toMatchObject({ isOwn: true, usedBy })
  expect(succeeded(await readAs(admin))).toMatchObject({ isOwn: false, usedBy })
  const shares = [{ user: bob.sub, access: 'view' }]
  succeeded(
    await api.call(shareRoutes.replace, { token: ada.token, params: { experimentId }, body: { shares } }),
  )
  expect(succeeded(await readAs(bob.token))).toMatchObject({ isOwn: false, usedBy })
  expect(await listed(bob.token)).toContain(videoId)
  const remove = (token: string) => api.call(videoRoutes.remove, { token, params: { videoId } })
  expect((await remove(bob.token)).status).toBe(403)
})

test('[V15] videos are listed in pages, whatever is uploaded or deleted in between', async () => {
  const { api } = stage()
  const cem = await createResearcher(api)
  const { token } = cem
  const uploaded: string[] = []
  for (let count = 0; count < 5; count++) uploaded.unshift(await stored(token))
  const page = async (query: Record<string, string>) =>
    succeeded(await api.call(videoRoutes.list, { token, query }))
  const idsOf = ({ videos }: { videos: VideoRecord[] }) => videos.map(({ videoId }) => videoId)
  const first = await page({ limit: '2' })
  const [, last = ''] = idsOf(first)
  succeeded(await api.call(videoRoutes.remove, { token, params: { videoId: last } }))
  const added = await stored(token)
  const second = await page({ limit: '2', before: first.next ?? '' })
  const third = await page({ limit: '2', before: second.next ?? '' })
  expect([first, second, third].flatMap(idsOf).toSorted()).toEqual(uploaded.toSorted())
  expect([third.videos.length, third.next]).toEqual([1, null])
  expect(await page({})).toMatchObject({ next: null, videos: { length: 5 } })
  expect(idsOf(await page({ limit: '1' }))).toEqual([added])
  for (const query of [
    { limit: '0' },
    { limit: '201' },
    { limit: 'x' },
    { before: 'x' },
    { before: '1.\0' },
  ]) {
    const refused = await api.call(videoRoutes.list, { token, query: query as Record<string, string> })
    expect([refused.status, codeOf(refused)], JSON.stringify(query)).toEqual([400, 'VALIDATION_FAILED'])
  }
})

test('[V16] saving warns about videos that are not ready, and nobody is recruited for one that has failed', async () => {
  const { ada, api } = stage()
  const videoId = await stored()
  const { token } = ada
  const path = '/globalComponents/0/videoId'
  const recruit = (experimentId: string) =>
    api.call(experimentRoutes.changeStatus, {
      token,
      params: { experimentId },
      body: { status: 'recruiting' },
    })
  const draft = succeeded(await api.call(experimentRoutes.create, { token, body: studyWith(videoId) }))
  expect(draft.warnings).toMatchObject([{ path, message: expect.stringContaining('not ready yet') }])
  await report(stage(), videoId, 'submitted', job)
  await report(stage(), videoId, 'complete', { status: 'failed', jobId: job.jobId, error: 'It is broken.' })
  const refusal = { code: 'VIDEO_FAILED', details: { videos: [{ videoId, path }] } }
  expect((await recruit(draft.experimentId)).body).toMatchObject(refusal)
  const running = await ada.openExperiment()
  const revision = { token, params: { experimentId: running }, body: studyWith(videoId) }
  expect((await api.call(experimentRoutes.revise, revision)).body).toMatchObject(refusal)
  const replaced = await readyVideo(stage(), token)
  const { experimentId } = draft
  const better = { token, params: { experimentId }, body: studyWith(replaced) }
  expect(succeeded(await api.call(experimentRoutes.revise, better)).warnings).toEqual([])
  expect(succeeded(await recruit(experimentId)).status).toBe('recruiting')
})

test('[V9] a video is deleted with all its objects, but not while an experiment uses it', async () => {
  const { ada, api, memory, cancelled } = stage()
  const videoId = await readyVideo(stage(), ada.token)
  const experimentId = await ada.openExperiment(studyWith(videoId))
  const remove = () => api.call(videoRoutes.remove, { token: ada.token, params: { videoId } })
  const refused = await remove()
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'VIDEO_IN_USE', details: { experiments: [{ experimentId, name: 'A small study' }] } },
  ])
  const revision = { token: ada.token, params: { experimentId }, body: smallestDefinition() }
  succeeded(await api.call(experimentRoutes.revise, revision))
  expect(succeeded(await remove())).toEqual({ success: true })
  expect([...memory.objects.keys()].filter((key) => key.startsWith(objectKeys.allOf(videoId)))).toEqual([])
  expect(cancelled).toContain(`job-${videoId}`)
  expect(codeOf(await remove())).toBe('VIDEO_NOT_FOUND')
  expect(await listed(ada.token)).not.toContain(videoId)
})

test('[V9] the refusal to delete a video counts the experiments that its owner may not see', async () => {
  const { ada, bob, admin, api } = stage()
  const videoId = await stored()
  const experimentId = await ada.openExperiment(studyWith(videoId))
  const share = async (shares: object[]) =>
    succeeded(
      await api.call(shareRoutes.replace, { token: ada.token, params: { experimentId }, body: { shares } }),
    )
  await share([{ user: bob.sub, access: 'view' }])
  const copy = await bob.openExperiment(studyWith(videoId))
  await share([])
  const refusal = async (token: string) =>
    (await api.call(videoRoutes.remove, { token, params: { videoId } })).body
  const mine = { experimentId, name: 'A small study' }
  expect(await refusal(ada.token)).toMatchObject({
    code: 'VIDEO_IN_USE',
    details: { experiments: [mine], others: 1 },
  })
  succeeded(
    await api.call(experimentRoutes.revise, {
      token: ada.token,
      params: { experimentId },
      body: smallestDefinition(),
    }),
  )
  expect(await refusal(ada.token)).toMatchObject({
    error: expect.stringMatching(/^An experiment that you may not see uses this video/),
    details: { experiments: [], others: 1 },
  })
  expect(await refusal(admin)).toMatchObject({
    error: 'An experiment uses this video, so it cannot be deleted.',
    details: { experiments: [{ experimentId: copy }], others: 0 },
  })
})

test('[V12] a definition that names a video which its author may not see is refused with the path', async () => {
  const { ada, bob, api } = stage()
  const videoId = await stored(bob.token)
  const save = (definition: object, token = ada.token) =>
    api.call(experimentRoutes.create, { token, body: definition })
  for (const hidden of [videoId, 'vid_none']) {
    const answer = await save(smallestDefinition({ states: [{ id: 's1', components: [film(hidden)] }] }))
    expect([answer.status, answer.body]).toMatchObject([
      400,
      {
        code: 'VALIDATION_FAILED',
        error: `/states/0/components/0/videoId: there is no video ‘${hidden}’ that you may use.`,
      },
    ])
  }
  const experimentId = await ada.openExperiment()
  const revised = { token: ada.token, params: { experimentId }, body: studyWith(videoId) }
  expect((await api.call(experimentRoutes.revise, revised)).status).toBe(400)
  succeeded(await save(studyWith(videoId), bob.token))
})

test('[R32] participants get the videos that their role sees, once they are in a room', async () => {
  const { ada, api } = stage()
  const [forAll, forBuyers, unfinished] = [
    await readyVideo(stage(), ada.token),
    await readyVideo(stage(), ada.token),
    await stored(),
  ]
  const definition = smallestDefinition({
    roles: ['buyer', 'seller'],
    states: [
      {
        id: 's1',
        components: [
          film(forAll),
          film(forBuyers, { id: 'secret', roles: ['buyer'] }),
          film(unfinished, { id: 'later' }),
        ],
      },
    ],
    matching: { groupSize: 2 },
  })
  const experimentId = await ada.openExperiment(definition)
  const mediaOf = async (session: { sessionId: string }) =>
    succeeded(await api.call(participantRoutes.mediaV4, { session })).data.videos
  const waiting = await (await createPerson(api)).join(experimentId)
  expect(await mediaOf(waiting)).toEqual([])
  const solo = { ...definition, matching: undefined }
  const soloId = await ada.openExperiment(solo as never)
  for (const [role, expected] of [
    ['buyer', [forAll, forBuyers, unfinished]],
    ['seller', [forAll, unfinished]],
  ] as const) {
    const videos = await mediaOf(await (await createPerson(api)).join(soloId, { role }))
    expect(videos.map(({ videoId }) => videoId)).toEqual(expected)
    expect(videos[0]).toMatchObject({ durationMs: 6_000, posterUrl: expect.stringMatching(/poster\.jpg$/) })
    expect(videos.at(-1)).toMatchObject({ videoId: unfinished, playbackUrl: null, posterUrl: null })
  }
  const elsewhere = await (await createPerson(api)).join(await ada.openExperiment())
  expect(await mediaOf(elsewhere)).toEqual([])
})

test('[R32,V11] output is played from a signed path, by range and from any site, and from no other path', async () => {
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
  // [V22] Part of a version that the client does not have would be of no use to it.
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

test('[V13] consoles hear of changes to the videos that their person may see', async () => {
  const { ada, bob, http } = stage()
  const connect = async (token: string) => {
    const { code, socket } = await shakeHands(http, '/console', { auth: { idToken: token } })
    expect(code).toBe('connected')
    const records: VideoRecord[] = []
    socket.on('video:updated', (record: VideoRecord) => records.push(record))
    return { socket, records }
  }
  const [mine, theirs] = [await connect(ada.token), await connect(bob.token)]
  const videoId = await stored()
  await report(stage(), videoId, 'submitted', job)
  await waitUntil(
    () =>
      mine.records.some((record) => record.videoId === videoId && record.hlsStatus === 'processing') ||
      JSON.stringify(mine.records),
  )
  const bobs = await stored(bob.token)
  await waitUntil(() => theirs.records.some((record) => record.videoId === bobs) || 'nothing for bob yet')
  expect(theirs.records.every((record) => record.videoId === bobs)).toBe(true)
  expect(mine.records.every((record) => record.isOwn)).toBe(true)
  // Nothing can be sent here.
  const ack: unknown = await mine.socket.timeout(60_000).emitWithAck('video:updated', { videoId })
  expect(ack).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
  for (const { socket } of [mine, theirs]) socket.close()
  const codes = []
  for (const auth of [{}, { idToken: 'x' }, { idToken: 'x'.repeat(9_000) }, { idToken: 7 }])
    codes.push((await shakeHands(http, '/console', { auth })).code)
  expect(new Set(codes)).toEqual(new Set(['UNAUTHENTICATED']))
})

test('[V13] a person’s eleventh console replaces the first', async () => {
  const { ada, http } = stage()
  const sockets: Awaited<ReturnType<typeof shakeHands>>['socket'][] = []
  for (let count = 0; count <= 10; count++)
    sockets.push((await shakeHands(http, '/console', { auth: { idToken: ada.token } })).socket)
  await waitUntil(() => sockets[0]?.disconnected || 'the first is still connected')
  expect(sockets.slice(1).every((socket) => socket.connected)).toBe(true)
  for (const socket of sockets) socket.close()
})
