import type { VideoRecord } from '@atrium/contract'

/** A record as the platform would answer it; ready unless the test says otherwise. */
export function videoRecord(videoId: string, news: Partial<VideoRecord> = {}): VideoRecord {
  const filename = news.filename ?? `${videoId}.mp4`
  return {
    videoId,
    filename,
    contentType: 'video/mp4',
    size: 84_300_000,
    storageKey: `videos/${videoId}/original/${filename}`,
    uploadId: null,
    hlsStatus: 'ready',
    hlsManifestKey: `videos/${videoId}/hls/master.m3u8`,
    hlsError: null,
    hlsCompletedAt: '2026-08-03T12:30:00.000Z',
    hlsNote: null,
    createdAt: '2026-08-03T12:00:00.000Z',
    durationMs: 92_000,
    width: 1_920,
    height: 1_080,
    levels: ['360p', '480p', '720p', '1080p'],
    progress: null,
    playbackUrl: `/media/signed/videos/${videoId}/hls/master.m3u8`,
    posterUrl: `/media/signed/videos/${videoId}/hls/poster.jpg`,
    usedBy: [],
    isOwn: true,
    ...news,
  }
}

const unplayable = { hlsManifestKey: null, playbackUrl: null, posterUrl: null, levels: [] }
const unknownPicture = { durationMs: null, width: null, height: null, hlsCompletedAt: null }

export const pendingVideo = (videoId: string, news: Partial<VideoRecord> = {}): VideoRecord =>
  videoRecord(videoId, { hlsStatus: 'pending', ...unplayable, ...unknownPicture, ...news })

export const processingVideo = (videoId: string, progress: number | null): VideoRecord =>
  videoRecord(videoId, { hlsStatus: 'processing', ...unplayable, hlsCompletedAt: null, progress })

export const failedVideo = (videoId: string, hlsError: string): VideoRecord =>
  videoRecord(videoId, { hlsStatus: 'failed', ...unplayable, ...unknownPicture, hlsError })
