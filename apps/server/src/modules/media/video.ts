import type { LevelName } from '@atrium/contract'

/** What has become of the HLS output. */
export type Hls =
  /** Being uploaded, or waiting for a transcoder; the note says why it still waits, if there is a reason. */
  | { status: 'pending'; note: string | null }
  | { status: 'processing'; progress: number }
  | { status: 'ready'; manifestKey: string; hasPoster: boolean }
  | { status: 'failed'; error: string }

/** An uploaded video as it is stored. */
export interface Video {
  videoId: string
  /** Who uploaded it, as in the audit log (R5: issuer and subject). */
  owner: string
  filename: string
  contentType: string
  size: number
  storageKey: string
  /** Of an upload in parts, also after it has ended; null if it was uploaded in one request. */
  uploadId: string | null
  createdAt: number
  /** Null while it is being uploaded. */
  storedAt: number | null
  hls: Hls
  /** When a transcoding last ended. */
  completedAt: number | null
  /** How often its transcoding has begun anew: each attempt is another job. */
  attempt: number
  /** The job whose reports count; null until one is submitted. */
  jobId: string | null
  /** Superseded jobs, newest first. */
  formerJobs: readonly string[]
  durationMs: number | null
  width: number | null
  height: number | null
  levels: readonly LevelName[]
}

export type NewVideo = Pick<
  Video,
  'videoId' | 'owner' | 'filename' | 'contentType' | 'size' | 'storageKey' | 'uploadId' | 'createdAt'
>

export const newVideo = (video: NewVideo, storedAt: number | null): Video => ({
  ...video,
  storedAt,
  hls: { status: 'pending', note: null },
  completedAt: null,
  attempt: 1,
  jobId: null,
  formerJobs: [],
  durationMs: null,
  width: null,
  height: null,
  levels: [],
})
