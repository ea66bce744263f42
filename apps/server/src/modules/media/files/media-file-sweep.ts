import { objectKeys } from '@atrium/contract'
import type { MediaFileStore } from '../media-files.store.ts'
import type { ObjectAccess } from '../object-access.ts'

const hourMs = 3_600_000
const atOnce = 100

export interface MediaFileSweepDeps {
  store: MediaFileStore
  objects: ObjectAccess
  onBackgroundError(error: unknown): void
}

/** V10: files whose bytes never arrived, because an instance died meanwhile, and what removals have left. */
export const createMediaFileSweep =
  ({ store, objects, onBackgroundError }: MediaFileSweepDeps) =>
  async (now: number): Promise<void> => {
    await store.discard(await store.unfinished(now - hourMs, atOnce), now)
    for (const mediaId of await store.removed(now - hourMs, atOnce)) {
      try {
        // First, so that it gives way to the others whatever fails.
        await store.eraseLater(mediaId, now)
        await objects((blobs) => blobs.removeAll(objectKeys.mediaFile(mediaId)))
        await store.forget(mediaId)
      } catch (error) {
        onBackgroundError(error)
      }
    }
  }
