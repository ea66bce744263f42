import { experimentRoutes, objectKeys, participantRoutes, shareRoutes, videoRoutes } from '@atrium/contract'
import { codeOf, createPerson, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { readyVideo, report } from './media-world.ts'
import { job, studyWith, video, videoStage } from './video-stage.ts'

const { stage, stored, listed } = videoStage()

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
    const answer = await save(smallestDefinition({ states: [{ id: 's1', components: [video(hidden)] }] }))
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
          video(forAll),
          video(forBuyers, { id: 'secret', roles: ['buyer'] }),
          video(unfinished, { id: 'later' }),
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
