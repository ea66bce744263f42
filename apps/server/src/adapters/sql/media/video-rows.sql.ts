import type { LevelName } from '@atrium/contract'
import type { Selectable } from 'kysely'
import type { Hls, Video } from '../../../modules/media/index.ts'
import type { Tables } from '../tables.ts'

type VideoRow = Selectable<Tables['videos']>

export const asVideo = (row: VideoRow): Video => ({
  videoId: row.video_id,
  owner: row.owner,
  filename: row.filename,
  contentType: row.content_type,
  size: row.size,
  storageKey: row.storage_key,
  uploadId: row.upload_id,
  createdAt: row.created_at,
  storedAt: row.stored_at,
  hls: hlsIn(row),
  completedAt: row.hls_completed_at,
  attempt: row.attempt,
  jobId: row.job_id,
  formerJobs: JSON.parse(row.former_jobs),
  durationMs: row.duration_ms,
  width: row.width,
  height: row.height,
  levels: JSON.parse(row.levels) as LevelName[],
})

function hlsIn(row: VideoRow): Hls {
  switch (row.hls_status) {
    case 'processing':
      return { status: 'processing', progress: row.progress ?? 0 }
    case 'ready':
      return {
        status: 'ready',
        manifestKey: row.hls_manifest_key ?? '',
        hasPoster: row.has_poster === 1,
      }
    case 'failed':
      return { status: 'failed', error: row.hls_error ?? '' }
    default:
      return { status: 'pending', note: row.hls_note }
  }
}

/** Without the columns that only the sweep knows. */
export const rowOf = (video: Video): Omit<VideoRow, 'submit_after' | 'removed_at'> => ({
  video_id: video.videoId,
  owner: video.owner,
  filename: video.filename,
  content_type: video.contentType,
  size: video.size,
  storage_key: video.storageKey,
  upload_id: video.uploadId,
  created_at: video.createdAt,
  stored_at: video.storedAt,
  hls_status: video.hls.status,
  hls_manifest_key: video.hls.status === 'ready' ? video.hls.manifestKey : null,
  hls_error: video.hls.status === 'failed' ? video.hls.error : null,
  hls_note: video.hls.status === 'pending' ? video.hls.note : null,
  hls_completed_at: video.completedAt,
  progress: video.hls.status === 'processing' ? video.hls.progress : null,
  attempt: video.attempt,
  job_id: video.jobId,
  former_jobs: JSON.stringify(video.formerJobs),
  duration_ms: video.durationMs,
  width: video.width,
  height: video.height,
  levels: JSON.stringify(video.levels),
  has_poster: video.hls.status === 'ready' && video.hls.hasPoster ? 1 : 0,
})
