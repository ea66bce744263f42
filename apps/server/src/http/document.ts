import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A text that never changes while the server runs. */
export interface Document {
  text: string
  contentType: string
  etag: string
}

export const createDocument = (text: string, contentType: string): Document => ({
  text,
  contentType,
  etag: `"${createHash('sha256').update(text).digest('base64url')}"`,
})

/** Sends the text, or 304 if the client has it already. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, document: Document): FastifyReply {
  const { text, contentType, etag } = document
  reply.header('etag', etag).header('cache-control', 'no-cache')
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type(contentType).send(text)
}

const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*')
