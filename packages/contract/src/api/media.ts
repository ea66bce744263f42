import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { mediaIdPattern, mediaKinds, mediaNamePattern, mediaTypes } from '../media/media-files.ts'
import { Count, IsoTime } from '../text.ts'
import { WholeNumber } from './query.ts'
import { defineRoute } from './route.ts'
import { Done } from './video.ts'

const MediaIdText = Type.String({ pattern: mediaIdPattern, description: 'The picture or sound' })
const MediaName = Type.String({
  pattern: mediaNamePattern,
  description: 'File name, without a path; unique among your own files',
})
const Kind = Type.Enum(mediaKinds)
const MediaParams = Type.Object({ mediaId: MediaIdText })

/** R67 */
const StoredMedia = {
  mediaId: MediaIdText,
  name: MediaName,
  kind: Kind,
  bytes: Count('Size of the file'),
}

export const MediaRecord = Type.Object({
  ...StoredMedia,
  contentType: Type.Enum(Object.keys(mediaTypes), { description: 'What the file is by its first bytes' }),
  createdAt: IsoTime('When it was uploaded'),
  url: Type.String({ description: 'Signed path of the file, valid for a limited time' }),
  usedBy: Type.Array(Type.Object({ experimentId: Type.String(), name: Type.String() }), {
    description: 'The experiments you may see whose definition uses the file',
  }),
  isOwn: Type.Boolean({
    description: 'Whether you uploaded it; only then, or as an administrator, may you rename or delete it',
  }),
})
export type MediaRecord = Type.Static<typeof MediaRecord>

export const mediaPerPage = { min: 1, max: 200, usual: 100 } as const

const MediaPage = Type.Object({
  media: Type.Array(MediaRecord),
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'Value of `before` for the next page; null on the last page',
  }),
})
export type MediaPage = Type.Static<typeof MediaPage>

const UploadedMedia = Type.Object({ media: Type.Array(Type.Object(StoredMedia)) })
export type UploadedMedia = Type.Static<typeof UploadedMedia>

const media = { tag: 'Media', envelope: 'plain', auth: 'researcher' } as const

export const mediaRoutes = {
  upload: defineRoute({
    ...media,
    method: 'POST',
    path: '/api/upload/media',
    summary: 'Upload pictures and sounds',
    description: `\`multipart/form-data\` with one or many fields \`file\`: pictures (PNG, JPEG, WebP, GIF, AVIF), sounds (MP3, M4A, AAC, WAV, OGG, FLAC) of up to ${limits.media.fileBytes} bytes each, or ZIPs of them; ${limits.uploadPartBytes} bytes and ${limits.media.filesPerUpload} files in all. Taken as a whole or not at all. The same bytes under the same name again change nothing.`,
    bodyType: 'multipart/form-data',
    body: Type.Object({ file: Type.Array(Type.String({ format: 'binary' })) }),
    success: { status: 200, schema: UploadedMedia, description: 'Stored, in the order in which they came' },
    errors: ['VIDEO_OFF', 'STORAGE_FULL', 'MEDIA_NAME_TAKEN', 'MEDIA_LIMIT'],
  }),
  list: defineRoute({
    ...media,
    method: 'GET',
    path: '/api/media-files',
    summary: 'List pictures and sounds',
    description: 'Your own files and those of experiments you may see.',
    query: Type.Object({
      kind: Type.Optional(Type.Enum(mediaKinds, { description: 'Only these; both when absent' })),
      limit: Type.Optional(WholeNumber(mediaPerPage, 'Maximum number of results')),
      before: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}\\.[A-Za-z0-9_-]{1,64}$',
          description: 'The `next` value of the previous page',
        }),
      ),
    }),
    success: { status: 200, schema: MediaPage, description: 'Newest first' },
  }),
  read: defineRoute({
    ...media,
    method: 'GET',
    path: '/api/media-files/:mediaId',
    params: MediaParams,
    summary: 'Read about a picture or sound',
    success: { status: 200, schema: MediaRecord, description: 'The record' },
    errors: ['MEDIA_NOT_FOUND'],
  }),
  rename: defineRoute({
    ...media,
    method: 'PUT',
    path: '/api/media-files/:mediaId',
    params: MediaParams,
    summary: 'Rename a picture or sound',
    description:
      'Published revisions keep the name by which they call it; drafts that name it must be changed. Owners and administrators only.',
    body: Type.Object({ name: MediaName }, { additionalProperties: false }),
    success: { status: 200, schema: MediaRecord, description: 'The record' },
    errors: ['MEDIA_NOT_FOUND', 'MEDIA_NAME_TAKEN'],
  }),
  remove: defineRoute({
    ...media,
    method: 'DELETE',
    path: '/api/media-files/:mediaId',
    params: MediaParams,
    summary: 'Delete a picture or sound that no experiment uses',
    description: 'Owners and administrators only.',
    success: { status: 200, schema: Done, description: 'Deleted' },
    errors: ['VIDEO_OFF', 'MEDIA_NOT_FOUND', 'MEDIA_IN_USE'],
  }),
} as const
