import type { FastifyRequest } from 'fastify'
import { type AppError, validationFailed } from '../kernel/app-error.ts'

/**
 * A header that must occur exactly once. Node keeps the first of two Authorization headers and joins two of our own
 * with a comma; a credential sent twice counts as absent.
 */
export function singleHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  if (typeof value !== 'string') return undefined
  return occurrences(request.raw.rawHeaders, name) === 1 ? value : undefined
}

function occurrences(rawHeaders: string[], name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) count++
  return count
}

export const originOf = (request: FastifyRequest): { ipAddress: string; userAgent: string } => ({
  ipAddress: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
})

/** R18: the key under which a repeated request gets its first answer. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const name = 'idempotency-key'
  const key = request.headers[name]
  if (key === undefined) return null
  if (occurrences(request.raw.rawHeaders, name) > 1) throw badKey('was sent twice')
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw badKey('must be 1 to 255 visible ASCII characters')
  return key
}

const badKey = (message: string): AppError => validationFailed([{ path: 'Idempotency-Key', message }])
