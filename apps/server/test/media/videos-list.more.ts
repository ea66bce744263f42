import { shareRoutes, type VideoRecord, videoRoutes } from '@atrium/contract'
import { codeOf, createResearcher, succeeded, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { shakeHands } from '../security/shake-hands.ts'
import { report } from './media-world.ts'
import { job, studyWith, videoStage } from './video-stage.ts'

const { stage, stored, listed } = videoStage()

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
