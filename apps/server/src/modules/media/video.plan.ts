import { assertNever, type HlsSubmitted, type LevelName } from '@atrium/contract'

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

/** How a transcoding ended. */
export type Outcome =
  | {
      status: 'ready'
      manifestKey: string
      hasPoster: boolean
      /** What the outputs tell; for transcoders that did not report it when the job was submitted. */
      levels: readonly LevelName[]
      durationMs: number | null
    }
  | { status: 'failed'; error: string | null }

/** Everything that can happen to a video after it has a record. */
export type VideoChange =
  | { kind: 'stored'; at: number }
  | ({ kind: 'submitted'; at: number } & HlsSubmitted)
  | { kind: 'progressed'; jobId: string; progress: number }
  /** Without a job id the report is about whatever job there is. */
  | { kind: 'completed'; at: number; jobId: string | null; outcome: Outcome }
  | { kind: 'retried' }
  /** Nobody works on the job any more. */
  | { kind: 'lost'; jobId: string }
  | { kind: 'noted'; note: string | null }

/** Job events arrive within the hour; nobody retries a video this often in that time. */
const maxFormerJobs = 50

const unknownError = 'Unknown error'

/** The video after a change; the same object if the change has no effect. */
export function changeVideo(video: Video, change: VideoChange): Video {
  switch (change.kind) {
    case 'stored':
      return stored(video, change.at)
    case 'submitted':
      return submitted(video, change)
    case 'progressed':
      return progressed(video, change)
    case 'completed':
      return completed(video, change)
    case 'retried':
      return anew(video)
    case 'lost':
      return video.hls.status === 'processing' && video.jobId === change.jobId ? anew(video) : video
    case 'noted':
      return noted(video, change.note)
    default:
      return assertNever(change)
  }
}

type Change<Kind extends VideoChange['kind']> = Extract<VideoChange, { kind: Kind }>

const stored = (video: Video, at: number): Video =>
  video.storedAt === null ? { ...video, storedAt: at } : video

/** V5. Events are delivered at least once: a repeat must not restart a video that has ended, or revive an old job. */
function submitted(before: Video, change: Change<'submitted'>): Video {
  const { at, jobId, durationMs, width, height, levels } = change
  if (before.formerJobs.includes(jobId)) return before
  const video = stored(before, at)
  const source = { durationMs: durationMs ?? video.durationMs, width, height, levels }
  if (video.jobId === jobId) return video.width === null ? { ...video, ...source } : video
  return { ...supersede(video), ...source, jobId, hls: { status: 'processing', progress: 0 } }
}

/** V7: forward only, because reports may overtake each other. */
function progressed(video: Video, { jobId, progress }: Change<'progressed'>): Video {
  if (video.hls.status !== 'processing' || video.jobId !== jobId || progress <= video.hls.progress)
    return video
  return { ...video, hls: { status: 'processing', progress } }
}

function completed(before: Video, { at, jobId, outcome }: Change<'completed'>): Video {
  if (jobId !== null && !isAboutCurrentJob(before, jobId)) return before
  // V8: a worker that was thought dead may fail after another has finished its job.
  if (jobId !== null && before.hls.status === 'ready' && outcome.status === 'failed') return before
  // V5: there was a job, so its original was there.
  const video = jobId !== null || outcome.status === 'ready' ? stored(before, at) : before
  const ended = { ...video, jobId: jobId ?? video.jobId, completedAt: at }
  if (outcome.status === 'failed')
    return { ...ended, hls: { status: 'failed', error: storable(outcome.error) || unknownError } }
  const { manifestKey, hasPoster, levels, durationMs } = outcome
  return {
    ...ended,
    hls: { status: 'ready', manifestKey, hasPoster },
    levels: video.levels.length > 0 ? video.levels : levels,
    durationMs: video.durationMs ?? durationMs,
  }
}

/** R33. A job may end before its submission is reported: then it is the current one. */
const isAboutCurrentJob = ({ jobId: current, formerJobs }: Video, jobId: string): boolean =>
  current === null ? !formerJobs.includes(jobId) : current === jobId

/** PostgreSQL cannot store NUL, and would change a lone surrogate. */
const storable = (text: string | null): string => (text ?? '').replaceAll('\0', '').toWellFormed().trim()

const anew = (video: Video): Video => ({
  ...supersede(video),
  attempt: video.attempt + 1,
  hls: { status: 'pending', note: null },
  levels: [],
})

const supersede = (video: Video): Video =>
  video.jobId === null
    ? video
    : {
        ...video,
        jobId: null,
        formerJobs: [video.jobId, ...video.formerJobs].slice(0, maxFormerJobs),
      }

const noted = (video: Video, note: string | null): Video =>
  video.hls.status === 'pending' && video.hls.note !== note
    ? { ...video, hls: { status: 'pending', note: note === null ? null : storable(note) } }
    : video
