import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createPlaces, type Place } from './body/places.ts'
import { BodyFailed, createDirectAccess, type DirectAccess } from './direct-access.ts'
import { codeOf } from './disk/durable.ts'
import { openStore } from './disk/open-store.ts'
import { type AllowedOrigins, corsHeaders } from './http/cors.ts'
import { errorXml, S3Error } from './http/s3-error.ts'
import { parameter, readRequest, type S3Request } from './http/s3-request.ts'
import { sendReply } from './http/send-reply.ts'
import { abortUpload } from './operations/complete-upload.ts'
import { findOperation } from './operations/find-operation.ts'
import { type Limits, type Reply, s3Limits } from './operations/store.ts'
import { isPresigned } from './signature/read-credential.ts'
import { type Credentials, verifyRequest } from './signature/verify-request.ts'

export interface ObjectStoreOptions {
  /** Where objects are kept. Nobody else may write there. */
  folder: string
  bucket: string
  /** Each of them is accepted. Several may have the same access key id. */
  credentials: readonly Credentials[]
  /** Path under which the store is mounted, without a slash at its end; empty for the root. */
  prefix?: string
  /** Origins of pages that may use the store; all of them if absent. */
  allowedOrigins?: AllowedOrigins
  /** Bytes that all objects and parts may have together. */
  maxBytes?: number | undefined
  /** Uploads must leave this much of the disk to others. */
  keepFreeBytes?: number
  /** Open uploads that are older are removed. */
  uploadLifetimeMs?: number
  /** An upload or download ends when nothing moves for this long. */
  idleMs?: number
  limits?: Partial<Limits>
  /** Defects and broken disks. */
  onError?(error: unknown, what: { method?: string | undefined; requestId?: string; path?: string }): void
  now?(): number
}

export interface ObjectStore {
  /**
   * Answers one request, whatever happens. `hosts` are names by which the client may have called us, beside the header
   * Host: a proxy may have changed that, and the client has signed the name that it used.
   */
  handle(message: IncomingMessage, response: ServerResponse, hosts?: readonly string[]): Promise<void>
  direct: DirectAccess
  /** Removes uploads that are older than they may be. It also happens by itself. */
  sweep(): Promise<void>
  usedBytes(): number
  /** Stops the sweep and waits for what is under way. */
  close(): Promise<void>
}

const sweepEveryMs = 60 * 60 * 1000
const defaults = {
  prefix: '',
  allowedOrigins: '*' as const,
  keepFreeBytes: 268_435_456,
  uploadLifetimeMs: 7 * 24 * 60 * 60 * 1000,
  idleMs: 60_000,
}

/** An S3-compatible endpoint over a folder: brings the folder into order, then answers requests. */
export async function createObjectStore(given: ObjectStoreOptions): Promise<ObjectStore> {
  const options = { ...defaults, ...given }
  const { prefix, bucket, credentials, allowedOrigins, idleMs, uploadLifetimeMs } = options
  const now = options.now ?? Date.now
  const limits = { ...s3Limits, ...options.limits }
  const onError = options.onError ?? (() => undefined)
  const { store, space } = await openStore({ ...options, limits, now, onError })
  const underWay = new Set<Promise<unknown>>()
  const places = createPlaces(limits, idleMs)

  /** Only for bodies from outside: those who know the secret limit themselves, and must not wait for strangers. */
  function placeFor(request: S3Request): Place | undefined {
    const hasBody = request.method === 'PUT' || request.method === 'POST'
    if (!hasBody || !isPresigned(request)) return undefined
    return places.take({ object: request.key, part: parameter(request, 'partNumber') ?? '' }, now())
  }

  async function perform(message: IncomingMessage, hosts: readonly string[]): Promise<Reply> {
    if (message.method === 'OPTIONS') return { status: 204 }
    const request = readRequest(message, prefix)
    const payload = verifyRequest(request, credentials, now(), hosts)
    if (request.bucket !== bucket) throw new S3Error('NoSuchBucket')
    const operation = findOperation(request)
    const place = placeFor(request)
    try {
      return await operation(store, { message, request, payload, idleMs, place })
    } finally {
      place?.leave()
    }
  }

  async function respond(
    message: IncomingMessage,
    response: ServerResponse,
    hosts: readonly string[],
  ): Promise<void> {
    message.on('error', () => undefined) // A client that leaves; whoever reads the body notices.
    response.on('error', () => undefined)
    const requestId = randomBytes(8).toString('hex').toUpperCase()
    const reply = await perform(message, hosts).catch((error: unknown) => {
      const refusal = asRefusal(error)
      if (isOurFault(refusal)) onError(error, { method: message.method, requestId })
      return refusalReply(refusal, message, requestId)
    })
    const headers = {
      ...reply.headers,
      ...corsHeaders(message, allowedOrigins),
      'x-amz-request-id': requestId,
      'x-content-type-options': 'nosniff',
    }
    await sendReply(message, response, { ...reply, headers }, idleMs)
  }

  async function sweep(): Promise<void> {
    const oldest = now() - uploadLifetimeMs
    for (const { uploadId, key, initiatedAt } of store.uploads.list())
      if (initiatedAt < oldest)
        await abortUpload(store, { key, uploadId }).catch((error: unknown) => {
          // It was completed or aborted meanwhile.
          if (asRefusal(error).code !== 'NoSuchUpload') throw error
        })
  }

  function track<Result>(work: Promise<Result>): Promise<Result> {
    const tracked = work.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
    return tracked
  }

  const direct = createDirectAccess(store, (call) =>
    track(
      call().catch((error: unknown) => {
        if (error instanceof BodyFailed) throw error.cause
        const refusal = asRefusal(error)
        if (isOurFault(refusal)) onError(error, { method: 'direct' })
        throw refusal
      }),
    ),
  )

  await sweep()
  const timer = setInterval(() => sweep().catch((error) => onError(error, { method: 'sweep' })), sweepEveryMs)
  timer.unref()
  return {
    handle: (message, response, hosts = []) => track(respond(message, response, hosts)),
    direct,
    sweep,
    usedBytes: space.usedBytes,
    async close() {
      clearInterval(timer)
      await Promise.allSettled(underWay)
    },
  }
}

function refusalReply(refusal: S3Error, { url = '' }: IncomingMessage, requestId: string): Reply {
  return {
    status: refusal.status,
    headers: { ...refusal.headers, 'content-type': 'application/xml' },
    body: errorXml(refusal, url.split('?', 1)[0] ?? '', requestId),
  }
}

/** The disk is full, the quota of the user is used up, or a file may not grow. */
const noSpace = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** What a caller is told about a failure. */
function asRefusal(error: unknown): S3Error {
  if (error instanceof S3Error) return error
  const code = codeOf(error) ?? ''
  if (noSpace.has(code)) return new S3Error('StorageFull')
  if (code === 'EROFS') return new S3Error('ServiceUnavailable', 'The disk of this store is read-only.')
  return new S3Error(code === 'ENAMETOOLONG' ? 'KeyTooLongError' : 'InternalError')
}

/** Whether whoever runs the store must hear of it: a defect or a broken disk, not a mistake of the caller. */
const isOurFault = ({ code }: S3Error): boolean => code === 'InternalError' || code === 'ServiceUnavailable'
