import { randomUUID } from 'node:crypto'
import { smallestDefinition } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { joined, newDefinition, startOfTime } from '../../../../test/stores/samples.ts'
import { newExperimentId, newVideoId } from '../../../kernel/ids.ts'
import type { VideoChange } from '../../../modules/media/video.plan.ts'
import { newVideo, type Video } from '../../../modules/media/video.plan.ts'

const ada = 'urn:x ada'
const bob = 'urn:x bob'
const sightOf = (owner: string, principal = 'nobody') => ({
  owners: [owner, 'examples'],
  principals: [principal],
})
const everything = { owners: null, principals: ['nobody'] }
const now = startOfTime

describeOnBothEngines('[R31] the store of videos', (engine) => {
  const media = () => engine().database.media

  async function aVideo(more: Partial<Video> = {}): Promise<Video> {
    const videoId = newVideoId()
    const facts = {
      videoId,
      owner: ada,
      filename: `“film” ${videoId}.mp4`,
      contentType: 'video/mp4',
      size: 9_007_199_254_740_991,
      storageKey: `videos/${videoId}/original/film.mp4`,
      uploadId: 'upload-1',
      createdAt: now,
    }
    const video = { ...newVideo(facts, now), ...more }
    await media().create(video)
    return video
  }

  async function usedIn(videoIds: string[], actor = ada, experimentId = newExperimentId()): Promise<string> {
    const globalComponents = videoIds.map((videoId, index) => ({
      id: `video${index}`,
      type: 'video',
      videoId,
    }))
    const definition = smallestDefinition({ name: `Study ${experimentId}`, globalComponents })
    const by = { experimentId, actor, now, ...newDefinition(definition) }
    const { experiments } = engine().database
    const exists = await experiments.find(experimentId)
    const outcome = exists ? await experiments.revise(by) : await experiments.create(by)
    expect(exists ? (outcome as { kind: string }).kind : outcome).toMatch(/created|revised/)
    return experimentId
  }

  const seenBy = async (
    sight: Parameters<ReturnType<typeof media>['visible']>[0]['sight'],
    among: Video[],
  ) => {
    const listed = await media().visible({ sight, now, before: null, limit: 10_000 })
    const ids = among.map(({ videoId }) => videoId)
    return listed.filter(({ video }) => ids.includes(video.videoId)).map(({ video }) => video.videoId)
  }

  test('[V5] every kind of video is read as it was written, and changes by the rules', async () => {
    const video = await aVideo()
    expect(await media().find(video.videoId)).toEqual(video)
    expect(await media().find(newVideoId())).toBeUndefined()
    const apply = (change: VideoChange) => media().change(video.videoId, change)
    const source = { durationMs: 5_000, width: 640, height: 360, levels: ['360p' as const, '480p' as const] }
    const submitted = await apply({ kind: 'submitted', at: now, jobId: 'j1', ...source })
    expect(submitted).toMatchObject({
      isChanged: true,
      video: { hls: { status: 'processing', progress: 0 } },
    })
    await apply({ kind: 'progressed', jobId: 'j1', progress: 0.123456789 })
    const outcomes = [
      { status: 'ready', manifestKey: 'm', hasPoster: true, levels: [], durationMs: null },
      { status: 'failed', error: 'It is “no” video.' },
    ] as const
    for (const outcome of outcomes) {
      const ended = await apply({ kind: 'completed', at: now + 5, jobId: null, outcome })
      expect(await media().find(video.videoId)).toEqual(ended?.video)
      expect(ended?.video).toMatchObject({ ...source, completedAt: now + 5 })
    }
    const late = await apply({ kind: 'progressed', jobId: 'j1', progress: 0.5 })
    expect(late).toEqual({ isChanged: false, video: await media().find(video.videoId) })
    expect(await media().change(newVideoId(), { kind: 'retried' })).toBeUndefined()
    expect((await media().findMany([video.videoId, newVideoId()])).map(({ videoId }) => videoId)).toEqual([
      video.videoId,
    ])
    expect(await media().findMany([])).toEqual([])
  })

  test('[V5] changes at the same time are applied one after the other', async () => {
    const { videoId } = await aVideo()
    await Promise.all(Array.from({ length: 20 }, () => media().change(videoId, { kind: 'retried' })))
    expect(await media().find(videoId)).toMatchObject({ attempt: 21 })
  })

  test('[R37] one sees one’s own videos and those of experiments one may see, in any revision', async () => {
    const [own, shared, old, hidden] = [
      await aVideo({ owner: bob }),
      await aVideo(),
      await aVideo(),
      await aVideo(),
    ]
    const all = [own, shared, old, hidden]
    const experimentId = await usedIn([old.videoId])
    await usedIn([shared.videoId], ada, experimentId)
    expect(await seenBy(sightOf(bob, 'p1'), all)).toEqual([own.videoId])
    await engine().database.accesses.replaceShares({
      experimentId,
      actor: ada,
      now,
      shares: [{ principal: 'p1', user: 'bob', access: 'view' }],
    })
    const sight = sightOf(bob, 'p1')
    const expected = [own, shared, old].map(({ videoId }) => videoId).toSorted()
    expect((await seenBy(sight, all)).toSorted()).toEqual(expected)
    expect((await seenBy(everything, all)).length).toBe(4)
    const named = [own, shared, old, hidden].map(({ videoId }) => videoId)
    expect(await media().hiddenAmong([...named, 'vid_none'], sight)).toEqual([hidden.videoId, 'vid_none'])
    expect(await media().hiddenAmong([...named, 'vid_none'], everything)).toEqual(['vid_none'])
    const look = (videoId: string) => media().seen({ videoId, sight, now })
    expect((await look(shared.videoId))?.usedBy).toEqual([{ experimentId, name: `Study ${experimentId}` }])
    expect((await look(old.videoId))?.usedBy).toEqual([])
    expect(await look(hidden.videoId)).toBeUndefined()
  })

  test('[R49] whoever is limited to some experiments sees the videos of these only, not even their own others', async () => {
    const [used, own] = [await aVideo(), await aVideo({ owner: bob })]
    const [mine, other] = [await usedIn([used.videoId], bob), await usedIn([used.videoId], bob)]
    const hidden = (...limitedTo: string[]) =>
      media().hiddenAmong([used.videoId, own.videoId], { ...sightOf(bob), limitedTo })
    expect(await hidden(mine)).toEqual([own.videoId])
    expect(await hidden('exp_none')).toEqual([used.videoId, own.videoId])
    const foreign = await usedIn([own.videoId], ada)
    expect(await hidden(foreign)).toEqual([used.videoId, own.videoId])
    const sight = { ...sightOf(bob), limitedTo: [mine, foreign] }
    const seen = await media().seen({ videoId: used.videoId, sight, now })
    expect(seen?.usedBy.map(({ experimentId }) => experimentId)).toEqual([mine])
    expect(seen?.usedBy.map(({ experimentId }) => experimentId)).not.toContain(other)
  })

  test('[V9] a list is newest first and names only the experiments that the viewer may see', async () => {
    const [older, newer] = [await aVideo({ owner: bob, createdAt: now - 5 }), await aVideo({ owner: bob })]
    await usedIn([older.videoId], bob)
    const mine = await usedIn([older.videoId, newer.videoId], 'urn:x carla')
    expect(await seenBy(sightOf(bob), [older, newer])).toEqual([newer.videoId, older.videoId])
    const seen = await media().seen({ videoId: newer.videoId, sight: sightOf('urn:x carla'), now })
    expect(seen?.usedBy.map(({ experimentId }) => experimentId)).toEqual([mine])
    expect((await media().seen({ videoId: newer.videoId, sight: sightOf(bob), now }))?.usedBy).toEqual([])
  })

  test('[V15] a page begins after the video before it, also among videos of the same time', async () => {
    const owner = `urn:x ${randomUUID()}`
    const videos = await Promise.all(
      [9, 9, 9, 7, 5].map((ageMs) => aVideo({ owner, createdAt: now - ageMs })),
    )
    const listed: Video[] = []
    for (;;) {
      const before = listed.at(-1) ?? null
      const page = await media().visible({ sight: sightOf(owner), now, before, limit: 2 })
      if (page.length === 0) break
      expect(page.length).toBeLessThanOrEqual(2)
      listed.push(...page.map(({ video }) => video))
    }
    expect(listed.map(({ createdAt }) => now - createdAt)).toEqual([5, 7, 9, 9, 9])
    expect(listed.map(({ videoId }) => videoId).toSorted()).toEqual(
      videos.map(({ videoId }) => videoId).toSorted(),
    )
  })

  test('[V9] a video is removed only when no experiment needs it any more', async () => {
    const video = await aVideo()
    const removal = { videoId: video.videoId, actor: ada, now }
    const experimentId = await usedIn([video.videoId])
    expect(await media().remove(removal)).toBe('in_use')
    const { database } = engine()
    await database.experiments.changeStatus({ experimentId, to: 'recruiting', actor: ada, now })
    const session = await joined(database, experimentId)
    await usedIn([], ada, experimentId)
    // Somebody still takes part in the revision that shows it.
    expect(await media().remove(removal)).toBe('in_use')
    await database.sessions.revoke({ sessionId: session.sessionId, actor: ada, now })
    expect(await media().remove(removal)).toBe('removed')
    expect(await media().remove(removal)).toBe('not_found')
    expect(await media().find(video.videoId)).toBeUndefined()
    expect(await seenBy(everything, [video])).toEqual([])
    const audited = await engine().rows(
      `select actor from audit_log where action = 'video_removed' and subject = '${video.videoId}'`,
    )
    expect(audited).toEqual([{ actor: ada }])
    const left = async (before: number) =>
      (await media().removed(before, 1_000)).some(({ videoId }) => videoId === video.videoId)
    expect(await left(now)).toBe(false)
    expect(await left(now + 1)).toBe(true)
    await media().forget(video.videoId)
    expect(await left(now + 1)).toBe(false)
  })

  test('[V12] an experiment cannot be saved with a video that was deleted in the meantime', async () => {
    const video = await aVideo()
    await media().remove({ videoId: video.videoId, actor: ada, now })
    const globalComponents = [{ id: 'film', type: 'video', videoId: video.videoId }]
    const definition = smallestDefinition({ globalComponents })
    const { experiments } = engine().database
    const by = { experimentId: newExperimentId(), actor: ada, now }
    expect(await experiments.create({ ...by, ...newDefinition(definition) })).toBe('video_gone')
    expect(await experiments.find(by.experimentId)).toBeUndefined()
    await experiments.create({ ...by, ...newDefinition(smallestDefinition()) })
    expect(await experiments.revise({ ...by, ...newDefinition(definition) })).toEqual({ kind: 'video_gone' })
    expect(await experiments.find(by.experimentId)).toMatchObject({ revision: 1 })
  })

  test('[V12] of a removal and a save at the same time, one is refused', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { videoId } = await aVideo()
        const globalComponents = [{ id: 'film', type: 'video', videoId }]
        const definition = smallestDefinition({ globalComponents })
        return await Promise.all([
          media().remove({ videoId, actor: ada, now }),
          engine().database.experiments.create({
            experimentId: newExperimentId(),
            actor: ada,
            now,
            ...newDefinition(definition),
          }),
        ])
      }),
    )
    for (const outcome of outcomes) expect(outcome.join()).toMatch(/^(removed,video_gone|in_use,created)$/)
  })

  test('[V10] an upload is discarded unless it is complete; old ones are found', async () => {
    const [open, complete] = [await aVideo({ storedAt: null, createdAt: 5 }), await aVideo({ createdAt: 5 })]
    const unfinished = async (before: number) =>
      (await media().unfinished({ begunBefore: before, now, limit: 1_000 })).map(({ videoId }) => videoId)
    expect(await unfinished(5)).not.toContain(open.videoId)
    expect(await unfinished(6)).toContain(open.videoId)
    expect(await unfinished(6)).not.toContain(complete.videoId)
    const openUploads = await media().countOpenUploads(open.owner)
    expect(await media().discard(complete.videoId, now)).toBe('not_open')
    expect(await media().countOpenUploads(open.owner)).toBe(openUploads)
    expect(await media().discard(open.videoId, now)).toBe('discarded')
    expect(await media().countOpenUploads(open.owner)).toBe(openUploads - 1)
    expect(await media().discard(open.videoId, now)).toBe('not_open')
    expect(await unfinished(6)).not.toContain(open.videoId)
  })

  test('[V10] an upload whose video an experiment needs is neither discarded nor found as abandoned', async () => {
    const { videoId } = await aVideo({ storedAt: null, createdAt: 5 })
    const isAbandoned = async () =>
      (await media().unfinished({ begunBefore: 6, now, limit: 1_000 })).some(
        (video) => video.videoId === videoId,
      )
    const experimentId = await usedIn([videoId])
    expect(await media().discard(videoId, now)).toBe('in_use')
    expect(await isAbandoned()).toBe(false)
    // An old revision that nobody takes part in needs it no longer, and must not keep its record either.
    await usedIn([], ada, experimentId)
    expect(await isAbandoned()).toBe(true)
    expect(await media().discard(videoId, now)).toBe('discarded')
    await media().forget(videoId)
    expect(await engine().rows(`select 1 from videos where video_id = '${videoId}'`)).toEqual([])
  })

  test('[V10] a removed video that could not be erased waits behind the others', async () => {
    const [stuck, other] = [await aVideo(), await aVideo()]
    await media().remove({ videoId: stuck.videoId, actor: ada, now: 10 })
    await media().remove({ videoId: other.videoId, actor: ada, now: 11 })
    const removed = async (before: number) => {
      const ids = (await media().removed(before, 1_000)).map(({ videoId }) => videoId)
      return ids.filter((id) => id === stuck.videoId || id === other.videoId)
    }
    expect(await removed(12)).toEqual([stuck.videoId, other.videoId])
    await media().eraseLater(stuck.videoId, 20)
    expect(await removed(12)).toEqual([other.videoId])
    expect(await removed(21)).toEqual([other.videoId, stuck.videoId])
  })

  test('[V5] each pending video is claimed once, by one instance, until it is due again', async () => {
    const group = randomUUID()
    const videos = await Promise.all(Array.from({ length: 8 }, () => aVideo({ filename: group })))
    const claim = async (at: number, until: number) => {
      const claimed = await media().claimPending({ now: at, until, limit: 1_000 })
      return claimed.filter(({ filename }) => filename === group).map(({ videoId }) => videoId)
    }
    const claims = await Promise.all(Array.from({ length: 4 }, () => claim(now, now + 100)))
    expect(claims.flat().toSorted()).toEqual(videos.map(({ videoId }) => videoId).toSorted())
    expect(await claim(now + 99, now + 200)).toEqual([])
    const [first, second, third] = videos.map(({ videoId }) => videoId) as [string, string, string]
    await media().postpone([first], now + 1_000)
    const job = { durationMs: null, width: 1, height: 1, levels: ['360p' as const] }
    await media().change(second, { kind: 'submitted', at: now, jobId: 'j1', ...job })
    expect((await media().inTranscoding(1_000)).filter(({ videoId }) => videoId === second)).toEqual([
      { videoId: second, jobId: 'j1' },
    ])
    const due = await claim(now + 100, now + 500)
    expect(due).toHaveLength(6)
    expect(due).not.toContain(first)
    await media().change(third, { kind: 'retried' })
    expect(await claim(now + 100, now + 500)).toEqual([third])
  })
})
