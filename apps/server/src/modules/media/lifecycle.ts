import { objectKeys } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Bus } from '../../ports/bus.ts'
import { sightOf } from '../experiments/index.ts'
import type { Identity } from '../identity/index.ts'
import type { MediaStore } from './media.store.ts'
import type { ObjectAccess } from './object-access.ts'
import type { Video, VideoChange } from './video.plan.ts'

export interface VideoLifecycleDeps {
  store: MediaStore
  objects: ObjectAccess
  hasObjects: boolean
  bus: Bus
  clock: Clock
  maxBytes: number
  /** A video may be due for submission. */
  submitSoon(): void
  onBackgroundError(error: unknown): void
}

export type VideoLifecycle = ReturnType<typeof createVideoLifecycle>

/** What uploads, videos and transcoding share: a change of a record is announced, and a removal leaves nothing. */
export function createVideoLifecycle(deps: VideoLifecycleDeps) {
  const { store, objects, bus, clock, onBackgroundError } = deps

  /** Best effort: a console that misses it asks again. */
  const announce = (videoId: string): Promise<void> =>
    bus.publish('video_updated', { videoId }).catch(onBackgroundError)

  /** Throws VIDEO_NOT_FOUND. */
  async function change(videoId: string, change: VideoChange): Promise<Video> {
    const changed = await store.change(videoId, change)
    if (!changed) throw new AppError('VIDEO_NOT_FOUND')
    if (changed.isChanged) await announce(videoId)
    return changed.video
  }

  /** V10: whether nothing of the video is left in the object store. What fails now is done by the sweep. */
  async function erase({ videoId, storageKey: key, uploadId, storedAt }: Video): Promise<boolean> {
    try {
      await objects(async (blobs) => {
        if (uploadId !== null && storedAt === null) await blobs.abortUpload({ key, uploadId })
        await blobs.removeAll(objectKeys.allOf(videoId))
      })
      return true
    } catch (error) {
      onBackgroundError(error)
      return false
    }
  }

  return {
    ...deps,
    announce,
    change,
    erase,
    refusalInUse: (videoId: string, identity: Identity) => refusalInUse(deps, videoId, identity),
    /** V4: whether the object store has all of the original, whatever the record says. */
    isStored: async ({ storageKey, size }: Video): Promise<boolean> =>
      (await objects((blobs) => blobs.head(storageKey)))?.size === size,
    /** The original is in the object store. */
    async stored(video: Video): Promise<void> {
      try {
        await change(video.videoId, { kind: 'stored', at: clock.now() })
      } catch (error) {
        // It was abandoned while it was being completed.
        if (error instanceof AppError && error.code === 'VIDEO_NOT_FOUND') {
          await erase(video)
          throw new AppError('UPLOAD_NOT_FOUND')
        }
        throw error
      }
      deps.submitSoon()
    },
  }
}

/** V9: the refusal to delete a video that experiments need, which may belong to people who do not share them. */
async function refusalInUse(
  { store, clock }: VideoLifecycleDeps,
  videoId: string,
  identity: Identity,
): Promise<AppError> {
  const now = clock.now()
  const seen = await store.seen({ videoId, sight: sightOf(identity), now })
  const experiments = seen?.usedBy ?? []
  const others = Math.max(0, (await store.countUses(videoId, now)) - experiments.length)
  const details = { experiments, others }
  if (others === 0) return new AppError('VIDEO_IN_USE', details)
  const uses =
    others === 1
      ? 'An experiment that you may not see uses'
      : `${others} experiments that you may not see use`
  return new AppError(
    'VIDEO_IN_USE',
    details,
    `${uses} this video, so it cannot be deleted. An administrator can tell you whose.`,
  )
}
