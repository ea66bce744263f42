import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

const longestError = 4_000
const mostOutputGroups = 100
/** A request to the server may have 1 MiB. */
const mostOutputChars = 500_000

const JobStateChange = Compile(
  Type.Object({
    source: Type.Literal('aws.mediaconvert'),
    'detail-type': Type.Literal('MediaConvert Job State Change'),
    time: Type.Optional(Type.String({ maxLength: 64 })),
    detail: Type.Object({
      status: Type.String({ maxLength: 64 }),
      jobId: Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' }),
      userMetadata: Type.Object({ videoId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }) }),
      errorMessage: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      outputGroupDetails: Type.Optional(Type.Array(Type.Unknown())),
      jobProgress: Type.Optional(Type.Object({ jobPercentComplete: Type.Optional(Type.Number()) })),
    }),
  }),
)

type JobState =
  | { kind: 'complete'; outputs: unknown[] | undefined }
  | { kind: 'failed'; error: string }
  | { kind: 'progress'; progress: number }
  /** R33: every other state. */
  | { kind: 'other' }

export interface JobEvent {
  videoId: string
  jobId: string
  /** Epoch milliseconds; undefined if the event does not say. */
  at: number | undefined
  state: JobState
}

/** Undefined for anything that is not a state change of one of our jobs. */
export function parseJobEvent(event: unknown): JobEvent | undefined {
  if (!JobStateChange.Check(event)) return undefined
  const { detail, time } = event
  const at = time === undefined ? Number.NaN : Date.parse(time)
  return {
    videoId: detail.userMetadata.videoId,
    jobId: detail.jobId,
    at: Number.isNaN(at) ? undefined : at,
    state: stateOf(detail),
  }
}

interface Detail {
  status: string
  errorMessage?: string | null
  outputGroupDetails?: unknown[]
  jobProgress?: { jobPercentComplete?: number }
}

function stateOf({ status, errorMessage, outputGroupDetails, jobProgress }: Detail): JobState {
  const percent = jobProgress?.jobPercentComplete
  switch (status) {
    case 'COMPLETE':
      return { kind: 'complete', outputs: bounded(outputGroupDetails) }
    case 'ERROR':
      return { kind: 'failed', error: sentence(errorMessage) ?? 'Unknown error' }
    case 'CANCELED':
      return { kind: 'failed', error: sentence(errorMessage) ?? 'The transcode job was canceled' }
    case 'STATUS_UPDATE':
      return percent === undefined
        ? { kind: 'other' }
        : { kind: 'progress', progress: Math.min(Math.max(percent / 100, 0), 1) }
    default:
      return { kind: 'other' }
  }
}

/** What PostgreSQL cannot store is left out. */
const sentence = (text: string | null | undefined): string | undefined =>
  text?.replaceAll('\0', '').toWellFormed().trim().slice(0, longestError) || undefined

/** The server accepts a video without them, but not a request that is too large. */
const bounded = (outputs: unknown[] | undefined): unknown[] | undefined =>
  outputs === undefined ||
  outputs.length > mostOutputGroups ||
  JSON.stringify(outputs).length > mostOutputChars
    ? undefined
    : outputs

export interface EndedJob {
  videoId: string
  jobId: string
  /** Epoch milliseconds. */
  at: number
  outcome: { status: 'COMPLETE'; outputGroupDetails: unknown[] } | { status: 'ERROR'; errorMessage: string }
}

/** The event of a job that one of our own transcoders has ended, in the form that MediaConvert's have. */
export const jobEvent = ({ videoId, jobId, at, outcome }: EndedJob) => ({
  version: '0',
  'detail-type': 'MediaConvert Job State Change',
  source: 'aws.mediaconvert',
  time: new Date(at).toISOString(),
  detail: { jobId, timestamp: at, userMetadata: { videoId }, ...outcome },
})
