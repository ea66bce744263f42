import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A file that never changes while the server runs. */
export interface Document {
  content: string | Buffer
  contentType: string
  etag: string
  /** What a browser has to know about a page. */
  headers: Readonly<Record<string, string>>
}

export const createDocument = (
  content: string | Buffer,
  contentType: string,
  headers: Document['headers'] = {},
): Document => ({
  content,
  contentType,
  headers,
  etag: `"${createHash('sha256').update(content).digest('base64url')}"`,
})

/** Sends the file, or 304 if the client has it already. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, document: Document): FastifyReply {
  const { content, contentType, etag, headers } = document
  reply.headers(headers).header('etag', etag).header('cache-control', 'no-cache')
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type(contentType).send(content)
}

/** Whether the client says that it has this form of a file. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*')
