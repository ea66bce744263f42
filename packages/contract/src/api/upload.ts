import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { fileNamePattern } from '../media/object-keys.ts'
import { Count } from '../text.ts'
import { defineRoute } from './route.ts'
import { Done } from './video.ts'

const Filename = Type.String({
  pattern: fileNamePattern,
  description: 'Name of the file, without a path',
})
const ContentType = Type.String({
  pattern: '^video/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}(;.{0,200})?$',
  description: 'A video type, such as video/mp4',
})
const PartNumber = Type.Integer({ minimum: 1, maximum: limits.uploadParts })

const upload = {
  uploadId: Type.String({ minLength: 1, maxLength: 2_048, description: 'As returned by initiate' }),
  key: Type.String({ minLength: 1, maxLength: 1_024, description: 'As returned by initiate' }),
}

const PresignedUrls = Type.Array(
  Type.Object({
    partNumber: PartNumber,
    url: Type.String({ description: 'PUT the part here, within the hour' }),
  }),
)

const uploading = { tag: 'Uploads', envelope: 'plain', auth: 'researcher' } as const

export const uploadRoutes = {
  direct: defineRoute({
    ...uploading,
    method: 'POST',
    path: '/api/upload/video',
    summary: `Upload a video of up to ${limits.uploadPartBytes} bytes`,
    description: '`multipart/form-data` with the one field `file`.',
    bodyType: 'multipart/form-data',
    body: Type.Object({ file: Type.String({ format: 'binary' }) }),
    success: {
      status: 200,
      schema: Type.Object({ videoId: Type.String(), key: Type.String() }),
      description: 'Stored',
    },
    errors: ['VIDEO_OFF', 'STORAGE_FULL'],
  }),
  initiate: defineRoute({
    ...uploading,
    method: 'POST',
    path: '/api/upload/video/multipart/initiate',
    summary: 'Begin an upload in parts',
    description: `Each part has ${limits.uploadPartBytes} bytes, the last one the rest.`,
    body: Type.Object(
      {
        filename: Filename,
        contentType: ContentType,
        fileSize: Type.Integer({ minimum: 1, description: 'Bytes; at most MAX_VIDEO_BYTES' }),
      },
      { additionalProperties: false },
    ),
    success: {
      status: 200,
      schema: Type.Object({
        videoId: Type.String(),
        uploadId: Type.String(),
        key: Type.String(),
        presignedUrls: PresignedUrls,
      }),
      description: 'Where to put the parts',
    },
    errors: ['VIDEO_OFF', 'STORAGE_FULL', 'UPLOAD_LIMIT'],
  }),
  sign: defineRoute({
    ...uploading,
    method: 'POST',
    path: '/api/upload/video/multipart/sign',
    summary: 'Sign part addresses again',
    description: 'Addresses expire after an hour; an upload resumes with new ones.',
    body: Type.Object(
      { ...upload, partNumbers: Type.Array(PartNumber, { minItems: 1, maxItems: limits.uploadParts }) },
      { additionalProperties: false },
    ),
    success: {
      status: 200,
      schema: Type.Object({ presignedUrls: PresignedUrls }),
      description: 'New addresses',
    },
    errors: ['VIDEO_OFF', 'UPLOAD_NOT_FOUND'],
  }),
  parts: defineRoute({
    ...uploading,
    method: 'GET',
    path: '/api/upload/video/multipart/parts',
    query: Type.Object(upload),
    summary: 'List the parts that are already stored',
    success: {
      status: 200,
      schema: Type.Object({
        parts: Type.Array(Type.Object({ partNumber: PartNumber, etag: Type.String(), size: Count('Bytes') })),
      }),
      description: 'In order of their numbers',
    },
    errors: ['VIDEO_OFF', 'UPLOAD_NOT_FOUND'],
  }),
  complete: defineRoute({
    ...uploading,
    method: 'POST',
    path: '/api/upload/video/multipart/complete',
    summary: 'Finish an upload in parts',
    description: 'Repeating the call after it succeeded is safe. ETags may be quoted or not.',
    body: Type.Object(
      {
        ...upload,
        parts: Type.Array(
          Type.Object({ etag: Type.String({ minLength: 1, maxLength: 200 }), partNumber: PartNumber }),
          { minItems: 1, maxItems: limits.uploadParts },
        ),
      },
      { additionalProperties: false },
    ),
    success: { status: 200, schema: Done, description: 'Stored; transcoding follows' },
    errors: ['VIDEO_OFF', 'UPLOAD_NOT_FOUND', 'STORAGE_FULL'],
  }),
  abort: defineRoute({
    ...uploading,
    method: 'POST',
    path: '/api/upload/video/multipart/abort',
    summary: 'Abandon an upload in parts',
    description:
      'Removes its parts and its record. Refused after the upload is complete, and while an experiment uses the video.',
    body: Type.Object(upload, { additionalProperties: false }),
    success: { status: 200, schema: Done, description: 'Nothing of it is left' },
    errors: ['VIDEO_OFF', 'UPLOAD_NOT_FOUND', 'UPLOAD_COMPLETED', 'VIDEO_IN_USE'],
  }),
} as const
