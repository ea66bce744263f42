import { isMediaType } from '@atrium/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import type { ObjectAccess } from './object-access.ts'
import { type FoundOutput, findOutput } from './requested-output.ts'

export interface SentObject {
  key: string
  /** Null: as it was stored, if it is a picture or a sound. */
  contentType: string | null
  maxAgeSeconds: number
}

/** R32: the path is the credential, so pages of other sites may read what it leads to. */
export function allowAnyOrigin(reply: FastifyReply): void {
  reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', 'Content-Length, Content-Range, Accept-Ranges, ETag')
    .header('cross-origin-resource-policy', 'cross-origin')
}

export function answerPreflight(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  allowAnyOrigin(reply)
  return reply
    .code(204)
    .header('access-control-allow-methods', 'GET, HEAD')
    .header('access-control-allow-headers', 'Range, If-Range, If-None-Match')
    .header('access-control-max-age', '86400')
    .send()
}

/** The object, or the part of it that is asked for. */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  objects: ObjectAccess,
  { key, contentType, maxAgeSeconds }: SentObject,
): Promise<FastifyReply> {
  const found = await findOutput(request, objects, key)
  if (!found) throw new AppError('NOT_FOUND')
  reply.header('accept-ranges', 'bytes')
  if (found === 'unsatisfiable') return await refuseRange(objects, key, reply)
  const type = contentType ?? found.contentType
  // Nothing else is ever stored under these keys; a browser must not be asked to open what somebody put there otherwise.
  if (contentType === null && !isMediaType(type)) {
    found.stream?.destroy()
    throw new AppError('NOT_FOUND')
  }
  reply
    .header('cache-control', `public, max-age=${maxAgeSeconds}`)
    .header('etag', `"${found.etag}"`)
    .type(type)
  return send(request, reply, found)
}

async function refuseRange(objects: ObjectAccess, key: string, reply: FastifyReply): Promise<FastifyReply> {
  const facts = await objects((blobs) => blobs.head(key))
  return reply
    .code(416)
    .header('content-range', `bytes */${facts?.size ?? 0}`)
    .send()
}

function send({ headers }: FastifyRequest, reply: FastifyReply, found: FoundOutput): FastifyReply {
  const { size, etag, range, stream } = found
  if (headers['if-none-match'] === `"${etag}"`) {
    stream?.destroy()
    return reply.code(304).send()
  }
  if (range) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`)
  reply.header('content-length', String(range ? range.last - range.first + 1 : size))
  return reply.send(stream)
}
