import { Type } from 'typebox'
import { fileIdPattern } from '../media/object-keys.ts'
import { defineRoute } from './route.ts'

const viewer = { tag: 'Experiments', envelope: 'plain', auth: 'researcher', access: 'view' } as const

export const answerFileRoutes = {
  download: defineRoute({
    ...viewer,
    work: 'export',
    method: 'GET',
    path: '/api/experiments/:experimentId/people/:participantId/files/:fileId',
    summary: 'Download a file that a participant uploaded',
    description:
      'The answers to `file_upload` and `audio_answer` name the files. Always sent as an attachment of no particular type: what participants upload is never shown as a page of this site. Recorded in the audit log.',
    params: Type.Object({
      experimentId: Type.String(),
      participantId: Type.String({
        pattern: '^part_[A-Za-z0-9_-]{1,64}$',
        description: 'The participant, as in exports',
      }),
      fileId: Type.String({ pattern: fileIdPattern, description: 'The file, as in the answer' }),
    }),
    success: {
      status: 200,
      contentType: 'application/octet-stream',
      description: 'The file, byte for byte',
    },
    errors: ['NOT_FOUND', 'VIDEO_OFF'],
  }),
} as const
