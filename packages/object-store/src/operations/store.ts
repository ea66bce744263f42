import type { PlaceLimits } from '../body/places.ts'
import type { Upload } from '../body/receive-body.ts'
import type { Drafts } from '../disk/drafts.ts'
import type { Layout } from '../disk/layout.ts'
import type { Objects } from '../disk/objects.ts'
import type { Uploads } from '../disk/uploads.ts'

/** Those of S3, unless a test needs smaller ones. */
export interface Limits extends PlaceLimits {
  /** Of an object stored at once, and of a part. */
  putBytes: number
  /** Of a source that is copied at once. */
  copyBytes: number
  objectBytes: number
  /** Of every part but the last. */
  minPartBytes: number
}

export const s3Limits: Limits = {
  putBytes: 5 * 2 ** 30,
  copyBytes: 5 * 2 ** 30,
  objectBytes: 5 * 2 ** 40,
  minPartBytes: 5 * 2 ** 20,
  concurrentUploads: 256,
  uploadsPerObject: 16,
  uploadsPerPart: 2,
}

/** What operations work with. */
export interface Store {
  bucket: string
  limits: Limits
  layout: Layout
  objects: Objects
  uploads: Uploads
  drafts: Drafts
  now(): number
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: string
  stream?: { bytes: AsyncIterable<Buffer>; close(): Promise<void> }
}

/** Called with a request whose signature has been verified. */
export type Operation = (store: Store, upload: Upload) => Promise<Reply>

export const quoted = (etag: string): string => `"${etag}"`
export const unquoted = (etag: string): string =>
  etag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1')

export const xmlReply = (body: string): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body,
})
