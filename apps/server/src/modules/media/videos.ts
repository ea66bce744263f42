import { objectKeys, type PlayableVideo, type VideoPage, type VideoRecord } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import { listCursor } from '../../kernel/list-cursor.ts'
import { sightOf } from '../experiments/index.ts'
import { actorOf, type Identity, signedBy } from '../identity/index.ts'
import type { VideoLifecycle } from './lifecycle.ts'
import type { SeenVideo } from './media.store.ts'
import type { MediaPaths } from './signed-paths.ts'
import type { Video } from './video.plan.ts'

export interface VideoQuery {
  limit: number
  /** The `next` of the previous page. */
  before: string | null
}

export interface VideoDeps {
  paths: MediaPaths
  /** Stops a job if it still runs. */
  cancelJob(jobId: string): Promise<void>
}

/** R31: what researchers and participants see of videos, and what researchers do with them. */
export function createVideos(lifecycle: VideoLifecycle, { paths, cancelJob }: VideoDeps) {
  const { store, objects, clock, onBackgroundError } = lifecycle

  async function see(videoId: string, identity: Identity): Promise<SeenVideo> {
    const seen = await store.seen({ videoId, sight: sightOf(identity), now: clock.now() })
    if (!seen) throw new AppError('VIDEO_NOT_FOUND')
    return seen
  }

  /** Its outcome no longer matters, whether it stops or not. */
  const stopJob = async (jobId: string | null): Promise<void> =>
    jobId === null ? undefined : await cancelJob(jobId).catch(onBackgroundError)

  return {
    list: (identity: Identity, query: VideoQuery): Promise<VideoPage> =>
      listVideos(lifecycle, paths, identity, query),

    read: async (videoId: string, identity: Identity): Promise<VideoRecord> =>
      recordOf(await see(videoId, identity), actorOf(identity), paths),

    /** V9 */
    async remove(videoId: string, identity: Identity): Promise<void> {
      const { video } = await see(videoId, identity)
      if (video.owner !== actorOf(identity) && !identity.isAdmin)
        throw new AppError(
          'FORBIDDEN',
          {},
          'Only the person who uploaded a video and administrators can delete it.',
        )
      const outcome = await store.remove({ videoId, actor: signedBy(identity), now: clock.now() })
      if (outcome === 'not_found') throw new AppError('VIDEO_NOT_FOUND')
      if (outcome === 'in_use') throw await lifecycle.refusalInUse(videoId, identity)
      await stopJob(video.jobId)
      await lifecycle.erase(video)
      await lifecycle.announce(videoId)
    },

    /** V6: from any state. Touching the original begins another transcoding where the bucket sends events. */
    async retry(videoId: string): Promise<void> {
      const before = await store.find(videoId)
      if (!before) throw new AppError('VIDEO_NOT_FOUND')
      if (before.storedAt === null) throw new AppError('UPLOAD_UNFINISHED')
      // First the record: its event may lead to a new job at once, and this would supersede it.
      await lifecycle.change(videoId, { kind: 'retried' })
      await stopJob(before.jobId)
      await objects((blobs) => blobs.touch(before.storageKey))
      lifecycle.submitSoon()
    },

    /** R32: for participants, who may see what their definition names. Videos that no longer exist are left out. */
    async playable(videoIds: readonly string[]): Promise<PlayableVideo[]> {
      if (videoIds.length === 0) return []
      const found = new Map((await store.findMany(videoIds)).map((video) => [video.videoId, video]))
      return videoIds.flatMap((videoId) => {
        const video = found.get(videoId)
        return video ? [playableOf(video, paths)] : []
      })
    },
  }
}

/** V15 */
async function listVideos(
  { store, clock }: VideoLifecycle,
  paths: MediaPaths,
  identity: Identity,
  { limit, before }: VideoQuery,
): Promise<VideoPage> {
  const found = await store.visible({
    sight: sightOf(identity),
    now: clock.now(),
    before: before === null ? null : readCursor(before),
    // One more than requested shows whether there is another page.
    limit: limit + 1,
  })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    videos: shown.map((seen) => recordOf(seen, actorOf(identity), paths)),
    next: last && found.length > limit ? writeCursor(last.video) : null,
  }
}

const { write: writeCursor, read: readCursor } = listCursor('createdAt', 'videoId')

const isoTime = (at: number): string => new Date(at).toISOString()

/** Where a video can be played, and until when; no addresses unless it is ready. */
function playableOf({ videoId, hls, durationMs }: Video, paths: MediaPaths): PlayableVideo {
  const signed = paths.sign(videoId)
  const isReady = hls.status === 'ready'
  return {
    videoId,
    playbackUrl: isReady ? signed.pathOf(hls.manifestKey) : null,
    posterUrl: isReady && hls.hasPoster ? signed.pathOf(objectKeys.poster(videoId)) : null,
    durationMs,
    expiresAt: isoTime(signed.expiresAt),
  }
}

/** R31: the record as one person sees it. */
function recordOf({ video, usedBy }: SeenVideo, actor: string, paths: MediaPaths): VideoRecord {
  const { hls } = video
  const { playbackUrl, posterUrl } = playableOf(video, paths)
  return {
    videoId: video.videoId,
    filename: video.filename,
    contentType: video.contentType,
    size: video.size,
    storageKey: video.storageKey,
    uploadId: video.storedAt === null ? video.uploadId : null,
    hlsStatus: hls.status,
    hlsManifestKey: hls.status === 'ready' ? hls.manifestKey : null,
    hlsError: hls.status === 'failed' ? hls.error : null,
    hlsCompletedAt: video.completedAt === null ? null : isoTime(video.completedAt),
    hlsNote: hls.status === 'pending' ? hls.note : null,
    createdAt: isoTime(video.createdAt),
    durationMs: video.durationMs,
    width: video.width,
    height: video.height,
    levels: hls.status === 'ready' ? [...video.levels] : [],
    progress: hls.status === 'processing' ? hls.progress : null,
    playbackUrl,
    posterUrl,
    usedBy,
    isOwn: video.owner === actor,
  }
}
