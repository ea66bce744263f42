import { videoIdOfOriginal } from '@atrium/contract'
import type { VideoLifecycle } from './lifecycle.ts'

const hourMs = 3_600_000
/** Uploads may be resumed on another day, after a weekend, but not for ever. */
const abandonedAfterMs = 7 * 24 * hourMs
/** A job that was told to stop may still have written something; by then it has ended. */
const erasedAgainAfterMs = hourMs
const atOnce = 100

/** V10: uploads that nobody finished, and what removals have left in the object store. */
export function createMediaSweep(lifecycle: VideoLifecycle, sweepFiles: (now: number) => Promise<void>) {
  const { store, objects, clock, onBackgroundError } = lifecycle
  let nextAt = 0

  /** One that fails must not keep the others from their turn. */
  async function each<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
    for (const item of items) await act(item).catch(onBackgroundError)
  }

  async function discardAbandoned(now: number): Promise<void> {
    const search = { begunBefore: now - abandonedAfterMs, now, limit: atOnce }
    await each(await store.unfinished(search), async (video) => {
      // V4: an instance may have died between completing an upload and recording it.
      if (await lifecycle.isStored(video)) await lifecycle.stored(video)
      else if ((await store.discard(video.videoId, now)) === 'discarded') await lifecycle.erase(video)
    })
  }

  /** An instance may have died between beginning an upload and recording it, or while it copied a large original. */
  async function abortUnknown(now: number): Promise<void> {
    const open = await objects((blobs) => blobs.openUploads(now - abandonedAfterMs))
    // Others may use the bucket, too.
    const ours = open.flatMap((upload) => {
      const videoId = videoIdOfOriginal(upload.key)
      return videoId === undefined ? [] : [{ upload, videoId }]
    })
    const known = await store.findMany([...new Set(ours.map(({ videoId }) => videoId))])
    const wanted = new Set(known.flatMap(({ uploadId, storedAt }) => (storedAt === null ? [uploadId] : [])))
    const unknown = ours.filter(({ upload }) => !wanted.has(upload.uploadId))
    await each(unknown.slice(0, atOnce), ({ upload }) => objects((blobs) => blobs.abortUpload(upload)))
  }

  async function eraseRemoved(now: number): Promise<void> {
    await each(await store.removed(now - erasedAgainAfterMs, atOnce), async (video) => {
      // First, so that it gives way to the others whatever fails.
      await store.eraseLater(video.videoId, now)
      if (await lifecycle.erase(video)) await store.forget(video.videoId)
    })
  }

  return {
    /** At most once an hour. */
    async run(): Promise<void> {
      const now = clock.now()
      if (now < nextAt) return
      nextAt = now + hourMs
      await each([discardAbandoned, abortUnknown, eraseRemoved, sweepFiles], (step) => step(now))
    },
  }
}
