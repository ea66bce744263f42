import type { Readable } from 'node:stream'

export interface BlobFacts {
  size: number
  contentType: string
  /** Without quotes. */
  etag: string
}

/** The bytes from `first` to `last`, both included; `last` may be absent or past the end. */
export interface ByteRange {
  first: number
  last?: number
}

export interface OpenBlob extends BlobFacts {
  stream: Readable
  /** The range that is sent, within the size of the whole; absent if it is the whole. */
  range?: Required<ByteRange>
}

export interface UploadedPart {
  partNumber: number
  /** Without quotes. */
  etag: string
  size: number
}

export interface Upload {
  key: string
  uploadId: string
}

/** Objects under keys: originals, HLS output, later exports. */
export interface BlobStore {
  /** Durable when it resolves; nobody ever sees half an object. */
  put(key: string, body: Readable | Uint8Array, facts: { size: number; contentType: string }): Promise<void>
  head(key: string): Promise<BlobFacts | undefined>
  /** Undefined if there is no such object. A range beyond its end rejects with RangeError. */
  open(key: string, range?: ByteRange): Promise<OpenBlob | undefined>
  /** All keys with the prefix. */
  list(prefix: string): Promise<string[]>
  removeAll(prefix: string): Promise<void>
  /** Raises the creation event of an object again, if the store sends events. Its bytes and type stay as they are. */
  touch(key: string): Promise<void>

  createUpload(key: string, contentType: string): Promise<string>
  /** The address to which a client sends a part. `origin` is the address under which the client reaches this server. */
  signPart(part: Upload & { partNumber: number; size: number }, origin: string): Promise<string>
  /** In order of their numbers. Undefined if there is no such upload. */
  listParts(upload: Upload): Promise<UploadedPart[] | undefined>
  completeUpload(upload: Upload, parts: readonly { partNumber: number; etag: string }[]): Promise<void>
  /** Also if there is no such upload any more. */
  abortUpload(upload: Upload): Promise<void>
  /** Uploads that were begun before the time and are still open, for sweeping. */
  openUploads(begunBefore: number): Promise<Upload[]>
}
