import { Type } from 'typebox'
import { levelNames } from '../media/ladder.ts'
import { manifestKeyPattern } from '../media/object-keys.ts'
import { Count, IsoTime } from '../text.ts'
import { WholeNumber } from './query.ts'
import { defineRoute } from './route.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const hlsStatuses = ['pending', 'processing', 'ready', 'failed'] as const
export type HlsStatus = (typeof hlsStatuses)[number]

const VideoId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'The video' })
const VideoParams = Type.Object({ videoId: VideoId })

/** R31 */
export const VideoRecord = Type.Object({
  videoId: Type.String(),
  filename: Type.String(),
  contentType: Type.String(),
  size: Count('Size of the original in bytes'),
  storageKey: Type.String({ description: 'Object key of the original' }),
  uploadId: Nullable(
    Type.String({
      description: 'The upload that is still under way and can be resumed; null once the original is stored',
    }),
  ),
  hlsStatus: Type.Enum(hlsStatuses),
  hlsManifestKey: Nullable(
    Type.String({ description: 'Object key of the master playlist; only when ready' }),
  ),
  hlsError: Nullable(Type.String({ description: 'What went wrong; only when failed' })),
  hlsCompletedAt: Nullable(IsoTime('When the latest transcoding ended')),
  hlsNote: Nullable(
    Type.String({ description: 'Why a pending video is not being transcoded, if there is a reason' }),
  ),
  createdAt: IsoTime('When the upload began'),
  durationMs: Nullable(Count('Playing time')),
  width: Nullable(Count('Width of the original as displayed, in pixels')),
  height: Nullable(Count('Height of the original as displayed, in pixels')),
  levels: Type.Array(Type.Enum(levelNames), { description: 'Available qualities; empty until ready' }),
  progress: Nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'Transcoding progress; null when not processing' }),
  ),
  playbackUrl: Nullable(
    Type.String({
      description: 'Signed path of the master playlist, valid for a limited time; only when ready',
    }),
  ),
  posterUrl: Nullable(Type.String({ description: 'Signed path of a still picture; null if there is none' })),
  usedBy: Type.Array(Type.Object({ experimentId: Type.String(), name: Type.String() }), {
    description: 'The experiments you may see whose definition uses the video',
  }),
  isOwn: Type.Boolean({
    description: 'Whether you uploaded it; only then, or as an administrator, may you delete it',
  }),
})
export type VideoRecord = Type.Static<typeof VideoRecord>

export const videosPerPage = { min: 1, max: 200, usual: 100 } as const

const VideoPage = Type.Object({
  videos: Type.Array(VideoRecord),
  next: Nullable(Type.String({ description: 'Value of `before` for the next page; null on the last page' })),
})
export type VideoPage = Type.Static<typeof VideoPage>

export const Done = Type.Object({ success: Type.Literal(true) })

const video = { tag: 'Videos', envelope: 'plain', auth: 'researcher' } as const

export const videoRoutes = {
  list: defineRoute({
    ...video,
    method: 'GET',
    path: '/api/videos',
    summary: 'List videos',
    description: 'Your own videos and those of experiments you may see.',
    query: Type.Object({
      limit: Type.Optional(WholeNumber(videosPerPage, 'Maximum number of results')),
      before: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}\\.[A-Za-z0-9_-]{1,64}$',
          description: 'The `next` value of the previous page',
        }),
      ),
    }),
    success: { status: 200, schema: VideoPage, description: 'Newest first' },
  }),
  read: defineRoute({
    ...video,
    method: 'GET',
    path: '/api/videos/:videoId',
    params: VideoParams,
    summary: 'Read a video record',
    success: { status: 200, schema: VideoRecord, description: 'The record' },
    errors: ['VIDEO_NOT_FOUND'],
  }),
  remove: defineRoute({
    ...video,
    method: 'DELETE',
    path: '/api/videos/:videoId',
    params: VideoParams,
    summary: 'Delete a video that no experiment uses',
    description:
      'Deletes the record and all its objects, and stops its transcoding. Owners and administrators only.',
    success: { status: 200, schema: Done, description: 'Deleted' },
    errors: ['VIDEO_OFF', 'VIDEO_NOT_FOUND', 'VIDEO_IN_USE'],
  }),
  retry: defineRoute({
    ...video,
    auth: 'admin',
    method: 'POST',
    path: '/api/videos/:videoId/retry-hls',
    params: VideoParams,
    summary: 'Transcode a video again',
    success: {
      status: 200,
      schema: Type.Object({ success: Type.Literal(true), message: Type.Literal('Retry initiated') }),
      description: 'The record is pending again, and the original has been copied onto itself',
    },
    errors: ['VIDEO_OFF', 'VIDEO_NOT_FOUND', 'UPLOAD_UNFINISHED'],
  }),
} as const

const JobId = Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$', description: 'The transcode job' })
const OutputGroups = Type.Array(Type.Unknown(), {
  maxItems: 100,
  description: 'Output groups as the transcoder reports them',
})
/** A hundred days; files that claim more are broken. */
const longestMs = 8_640_000_000
const Pixels = (description: string) => Type.Integer({ minimum: 1, maximum: 65_535, description })
const Sentence = Type.String({ maxLength: 4_000 })

/** For the two functions between object store, transcoder and server; they hold INTERNAL_API_KEY. */
const internal = { tag: 'Internal', envelope: 'plain', auth: 'internal' } as const

export const HlsComplete = Type.Union([
  Type.Object({
    status: Type.Literal('ready'),
    hlsManifestKey: Type.String({
      pattern: manifestKeyPattern,
      description: 'Object key of the master playlist, below the prefix of the video’s output',
    }),
    outputs: Type.Optional(OutputGroups),
    jobId: Type.Optional(JobId),
  }),
  Type.Object({
    status: Type.Literal('failed'),
    error: Type.Optional(Nullable(Sentence)),
    jobId: Type.Optional(JobId),
  }),
])
export type HlsComplete = Type.Static<typeof HlsComplete>

export const HlsSubmitted = Type.Object({
  jobId: JobId,
  durationMs: Nullable(
    Type.Integer({ minimum: 0, maximum: longestMs, description: 'Playing time in milliseconds' }),
  ),
  width: Pixels('Width as displayed'),
  height: Pixels('Height as displayed'),
  levels: Type.Array(Type.Enum(levelNames), { minItems: 1, maxItems: levelNames.length }),
})
export type HlsSubmitted = Type.Static<typeof HlsSubmitted>

export const internalVideoRoutes = {
  hlsSubmitted: defineRoute({
    ...internal,
    method: 'POST',
    path: '/api/internal/videos/:videoId/hls-submitted',
    params: VideoParams,
    summary: 'Record that a transcode job was submitted',
    description: 'The video is processing from now on; jobs submitted earlier are superseded.',
    body: HlsSubmitted,
    success: { status: 200, schema: Done, description: 'Recorded' },
    errors: ['VIDEO_NOT_FOUND'],
  }),
  hlsProgress: defineRoute({
    ...internal,
    method: 'POST',
    path: '/api/internal/videos/:videoId/hls-progress',
    params: VideoParams,
    summary: 'Report the progress of a transcode job',
    body: Type.Object({ jobId: JobId, progress: Type.Number({ minimum: 0, maximum: 1 }) }),
    success: { status: 200, schema: Done, description: 'Recorded, or ignored if the job is superseded' },
    errors: ['VIDEO_NOT_FOUND'],
  }),
  hlsComplete: defineRoute({
    ...internal,
    method: 'POST',
    path: '/api/internal/videos/:videoId/hls-complete',
    params: VideoParams,
    summary: 'Record the outcome of a transcode job',
    description: 'A callback of a superseded job changes nothing.',
    body: HlsComplete,
    success: { status: 200, schema: Done, description: 'Recorded, or ignored if the job is superseded' },
    errors: ['VIDEO_NOT_FOUND'],
  }),
} as const
