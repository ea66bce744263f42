import { objectKeys, type PlayableVideo, type VideoRecord } from '@atrium/contract'
import type { SeenVideo } from './media.store.ts'
import type { MediaPaths } from './media-path.ts'
import type { Video } from './video.ts'

const isoTime = (at: number): string => new Date(at).toISOString()

/** Where a video can be played, and until when; no addresses unless it is ready. */
export function playableOf({ videoId, hls, durationMs }: Video, paths: MediaPaths): PlayableVideo {
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
export function recordOf({ video, usedBy }: SeenVideo, actor: string, paths: MediaPaths): VideoRecord {
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
