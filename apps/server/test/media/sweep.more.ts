import { objectKeys } from '@atrium/contract'
import { smallestDefinition } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { createInProcessBus } from '../../src/adapters/in-process/bus.ts'
import { newExperimentId, newMediaId, newVideoId } from '../../src/kernel/ids.ts'
import { createMediaFileSweep } from '../../src/modules/media/files/media-file-sweep.ts'
import { createVideoLifecycle } from '../../src/modules/media/lifecycle.ts'
import { createObjectAccess } from '../../src/modules/media/object-access.ts'
import { createMediaSweep } from '../../src/modules/media/sweep.ts'
import { newVideo, type Video } from '../../src/modules/media/video.plan.ts'
import { describeOnBothEngines } from '../stores/engines.ts'
import { newDefinition } from '../stores/samples.ts'
import { createMemoryBlobs } from './memory-blobs.ts'

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs

describeOnBothEngines('[V10] the sweep of videos', (engine) => {
  /** A sweep on a real database, with a time of its own, and what it has complained about. */
  function aSweep() {
    const memory = createMemoryBlobs()
    const complaints: string[] = []
    let now = Date.now()
    const { media: store, mediaFiles } = engine().database
    const parts = createVideoLifecycle({
      store,
      objects: createObjectAccess(memory.blobs),
      hasObjects: true,
      bus: createInProcessBus(),
      clock: { now: () => now },
      maxBytes: 1e9,
      submitSoon: () => undefined,
      onBackgroundError: (error) => void complaints.push(String(error)),
    })
    const sweep = createMediaSweep(parts, createMediaFileSweep({ ...parts, store: mediaFiles }))
    return {
      store,
      mediaFiles,
      memory,
      complaints,
      now: () => now,
      /** An upload whose first part has arrived. */
      async begin(): Promise<Video> {
        const videoId = newVideoId()
        const storageKey = `videos/${videoId}/original/film.mp4`
        const uploadId = await memory.blobs.createUpload(storageKey, 'video/mp4')
        const facts = { videoId, owner: 'urn:x ada', filename: 'film.mp4', contentType: 'video/mp4', size: 6 }
        const video = newVideo({ ...facts, storageKey, uploadId, createdAt: now }, null)
        await store.create(video)
        return video
      },
      async after(ms: number): Promise<void> {
        now += ms
        await sweep.run()
      },
    }
  }

  /** Whether there is still a record of the removed video. */
  const isKept = async ({ videoId }: Video): Promise<boolean> =>
    (await engine().database.media.removed(Number.MAX_SAFE_INTEGER, 1_000)).some(
      (video) => video.videoId === videoId,
    )

  test('[V10] a removed video that cannot be erased keeps no other from being erased', async () => {
    const { store, memory, begin, after, now, complaints } = aSweep()
    const [stuck, other] = [await begin(), await begin()]
    const { removeAll } = memory.blobs
    let isDamaged = true
    memory.blobs.removeAll = async (prefix) => {
      if (isDamaged && prefix.includes(stuck.videoId)) throw new Error('a damaged object')
      await removeAll(prefix)
    }
    for (const video of [stuck, other]) {
      memory.store(video.storageKey, 'a video')
      await store.remove({ videoId: video.videoId, actor: video.owner, now: now() })
    }
    await after(2 * hourMs)
    expect([await isKept(stuck), await isKept(other)]).toEqual([true, false])
    expect([...memory.objects.keys()]).toEqual([stuck.storageKey])
    expect(complaints).toHaveLength(1)
    isDamaged = false
    await after(2 * hourMs)
    expect(await isKept(stuck)).toBe(false)
    expect(memory.objects.size).toBe(0)
  })

  test('[V10] an upload that nobody has completed is gone after a week', async () => {
    const { store, memory, begin, after, complaints } = aSweep()
    const video = await begin()
    await after(weekMs - 1)
    expect(await store.find(video.videoId)).toBeDefined()
    await after(hourMs)
    expect(await store.find(video.videoId)).toBeUndefined()
    expect([memory.uploads.size, complaints]).toEqual([0, []])
  })

  test('[V4,V10] an upload that is complete in the object store is not lost, even if nobody recorded it', async () => {
    const { store, memory, begin, after, now } = aSweep()
    const [whole, half] = [await begin(), await begin()]
    memory.store(whole.storageKey, 'a clip')
    memory.store(half.storageKey, 'a')
    await after(weekMs + hourMs)
    expect(await store.find(whole.videoId)).toMatchObject({ storedAt: now(), hls: { status: 'pending' } })
    expect(await store.find(half.videoId)).toBeUndefined()
    expect([...memory.objects.keys()]).toEqual([whole.storageKey])
  })

  test('[V10] uploads that no record knows end after a week, also those to the original of a video', async () => {
    const { store, memory, begin, after } = aSweep()
    const [stored, open] = [await begin(), await begin()]
    await memory.blobs.completeUpload({ key: stored.storageKey, uploadId: stored.uploadId ?? '' }, [])
    await store.change(stored.videoId, { kind: 'stored', at: 1 })
    // An upload that an experiment needs stays.
    const video = { id: 'film', type: 'video', videoId: open.videoId }
    await engine().database.experiments.create({
      experimentId: newExperimentId(),
      actor: open.owner,
      now: 1,
      ...newDefinition(smallestDefinition({ globalComponents: [video] })),
    })
    const copy = await memory.blobs.createUpload(stored.storageKey, 'video/mp4')
    const lost = await memory.blobs.createUpload(`videos/${newVideoId()}/original/film.mp4`, 'video/mp4')
    const foreign = await memory.blobs.createUpload('backups/film.mp4', 'video/mp4')
    const uploads = () => [...memory.uploads.values()].map(({ uploadId }) => uploadId)
    await after(weekMs - hourMs)
    expect(uploads()).toEqual([open.uploadId, copy, lost, foreign])
    await after(2 * hourMs)
    expect(uploads()).toEqual([open.uploadId, foreign])
  })

  test('[V10] a record that cannot be deleted keeps no other from being deleted', async () => {
    const { store, begin, after, now, complaints } = aSweep()
    const [stuck, other] = [await begin(), await begin()]
    for (const [order, { videoId, owner }] of [stuck, other].entries())
      await store.remove({ videoId, actor: owner, now: now() + order })
    await engine().change(
      `insert into experiment_videos (experiment_id, revision, video_id) values ('${newExperimentId()}', 1, '${stuck.videoId}')`,
    )
    await after(2 * hourMs)
    expect([await isKept(stuck), await isKept(other)]).toEqual([true, false])
    expect(complaints).toHaveLength(1)
  })

  test('[V10] a picture whose bytes never arrived goes, and so does what a removal has left', async () => {
    const { memory, mediaFiles, now, after } = aSweep()
    const file = (storedAt: number | null) => ({
      mediaId: newMediaId(),
      owner: 'urn:x ada',
      name: `${newMediaId()}.png`,
      kind: 'picture' as const,
      contentType: 'image/png' as const,
      bytes: 7,
      sha256: 'a',
      createdAt: now(),
      storedAt,
    })
    const [open, kept, gone] = [file(null), file(now()), file(now())]
    await mediaFiles.create({ owner: 'urn:x ada', files: [open, kept, gone] })
    const keyOf = ({ mediaId }: { mediaId: string }) => objectKeys.mediaFile(mediaId)
    for (const each of [open, kept, gone]) memory.store(keyOf(each), 'picture')
    await mediaFiles.remove({ mediaId: gone.mediaId, actor: 'urn:x ada', now: now() })
    await after(2 * hourMs)
    expect(memory.objects.has(keyOf(gone))).toBe(false)
    expect(await mediaFiles.find(open.mediaId)).toBeUndefined()
    await after(2 * hourMs)
    expect([keyOf(open), keyOf(kept)].map((key) => memory.objects.has(key))).toEqual([false, true])
    expect(await mediaFiles.removed(now() + 1, 1_000)).not.toContain(open.mediaId)
  })
})
