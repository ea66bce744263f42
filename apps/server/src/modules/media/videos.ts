import type {
  ExperimentDefinition,
  PlayableVideo,
  ValidationIssue,
  VideoPage,
  VideoRecord,
} from '@atrium/contract'
import { videoUsesIn } from '@atrium/contract/components'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import { sightOf } from '../experiments/index.ts'
import { actorOf, type Identity, signedBy } from '../identity/index.ts'
import { inUse } from './in-use.ts'
import type { SeenVideo } from './media.store.ts'
import type { MediaParts } from './media-parts.ts'
import type { MediaPaths } from './media-path.ts'
import { listVideos, type VideoQuery } from './video-list.ts'
import { playableOf, recordOf } from './video-record.ts'

/** Nobody reads more than this at a time. */
const mostIssues = 20

export interface VideoDeps {
  paths: MediaPaths
  /** Stops a job if it still runs. */
  cancelJob(jobId: string): Promise<void>
}

/** R31: what researchers and participants see of videos, and what researchers do with them. */
export function createVideos(parts: MediaParts, { paths, cancelJob }: VideoDeps) {
  const { store, objects, clock, onBackgroundError } = parts

  async function see(videoId: string, identity: Identity): Promise<SeenVideo> {
    const seen = await store.seen({ videoId, sight: sightOf(identity), now: clock.now() })
    if (!seen) throw new AppError('VIDEO_NOT_FOUND')
    return seen
  }

  /** Its outcome no longer matters, whether it stops or not. */
  const stopJob = async (jobId: string | null): Promise<void> =>
    jobId === null ? undefined : await cancelJob(jobId).catch(onBackgroundError)

  /** Where the definition names videos that cannot be played. */
  async function usesNotReady(definition: ExperimentDefinition) {
    const uses = videoUsesIn(definition)
    if (uses.length === 0) return []
    const found = await store.findMany([...new Set(uses.map(({ videoId }) => videoId))])
    const statuses = new Map(found.map(({ videoId, hls }) => [videoId, hls.status]))
    return uses
      .map((use) => ({ ...use, status: statuses.get(use.videoId) }))
      .filter(({ status }) => status !== 'ready')
      .slice(0, mostIssues)
  }

  return {
    list: (identity: Identity, query: VideoQuery): Promise<VideoPage> =>
      listVideos(parts, paths, identity, query),

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
      if (outcome === 'in_use') throw await inUse(parts, videoId, identity)
      await stopJob(video.jobId)
      await parts.erase(video)
      await parts.announce(videoId)
    },

    /** V6: from any state. The event of the copied original begins another transcoding. */
    async retry(videoId: string): Promise<void> {
      const before = await store.find(videoId)
      if (!before) throw new AppError('VIDEO_NOT_FOUND')
      if (before.storedAt === null) throw new AppError('UPLOAD_UNFINISHED')
      // First the record: the copy's event may lead to a new job at once, and this would supersede it.
      await parts.change(videoId, { kind: 'retried' })
      await stopJob(before.jobId)
      await objects((blobs) => blobs.touch(before.storageKey))
      parts.submitSoon()
    },

    /** V12: throws unless the author may see every video that the definition names. */
    async refuseHidden(definition: ExperimentDefinition, author: Identity): Promise<void> {
      const uses = videoUsesIn(definition)
      if (uses.length === 0) return
      const named = [...new Set(uses.map(({ videoId }) => videoId))]
      const hidden = new Set(await store.hiddenAmong(named, sightOf(author)))
      const issues = uses.flatMap(({ path, videoId }) =>
        hidden.has(videoId) ? [{ path, message: `there is no video ‘${videoId}’ that you may use` }] : [],
      )
      if (issues.length > 0) throw validationFailed(issues.slice(0, mostIssues))
    },

    /** V16: throws if a video that the definition names has failed. */
    async refuseFailed(definition: ExperimentDefinition): Promise<void> {
      const failed = (await usesNotReady(definition)).filter(({ status }) => status === 'failed')
      const videos = failed.map(({ videoId, path }) => ({ videoId, path }))
      if (videos.length > 0) throw new AppError('VIDEO_FAILED', { videos })
    },

    /** V16: about videos that the definition names and that cannot be played yet. */
    async warningsAbout(definition: ExperimentDefinition): Promise<ValidationIssue[]> {
      return (await usesNotReady(definition)).map(({ path, status }) => ({
        path,
        message:
          status === 'failed'
            ? 'this video could not be processed, so nobody can watch it'
            : 'this video is not ready yet: it can be watched once it has been processed',
      }))
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
