import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { AppError } from '../../src/kernel/app-error.ts'
import type { BlobStore, Upload, UploadedPart } from '../../src/ports/blob-store.ts'

interface OpenUpload extends Upload {
  begunAt: number
  parts: Map<number, UploadedPart>
}

/** An object store in memory. Parts are remembered by size alone, so that tests may send hundreds of megabytes. */
export function createMemoryBlobs() {
  const objects = new Map<string, { bytes: Buffer; size: number; contentType: string; etag: string }>()
  const uploads = new Map<string, OpenUpload>()
  const touched: string[] = []
  const trouble: { kind: 'full' | 'away' | undefined } = { kind: undefined }
  let count = 0

  const work = async (): Promise<void> => {
    if (trouble.kind === 'full') throw new AppError('STORAGE_FULL')
    if (trouble.kind === 'away') throw new Error('connect ECONNREFUSED')
  }
  const nameOf = ({ key, uploadId }: Upload): string => `${uploadId} ${key}`
  const factsOf = (key: string) => {
    const object = objects.get(key)
    return object && { size: object.size, contentType: object.contentType, etag: object.etag }
  }
  function keep(key: string, bytes: Buffer, size: number, contentType: string): void {
    objects.set(key, { bytes, size, contentType, etag: hash('md5', bytes) })
  }

  const blobs: BlobStore = {
    async put(key, body, { size, contentType }) {
      await work()
      const bytes = body instanceof Readable ? await buffer(body) : Buffer.from(body)
      if (bytes.length !== size) throw new Error(`expected ${size} bytes, got ${bytes.length}`)
      keep(key, bytes, size, contentType)
    },
    async head(key) {
      await work()
      return factsOf(key)
    },
    async open(key, range) {
      await work()
      const object = objects.get(key)
      const facts = factsOf(key)
      if (!object || !facts) return undefined
      if (!range) return { ...facts, stream: Readable.from([object.bytes]) }
      if (range.first >= object.size) throw new RangeError('beyond the end')
      const whole = { first: range.first, last: Math.min(range.last ?? object.size - 1, object.size - 1) }
      const stream = Readable.from([object.bytes.subarray(whole.first, whole.last + 1)])
      return { ...facts, range: whole, stream }
    },
    async list(prefix) {
      return [...objects.keys()].filter((key) => key.startsWith(prefix))
    },
    async removeAll(prefix) {
      await work()
      for (const key of [...objects.keys()]) if (key.startsWith(prefix)) objects.delete(key)
    },
    async touch(key) {
      await work()
      touched.push(key)
    },
    async createUpload(key) {
      await work()
      const uploadId = `upload-${++count}`
      const upload = { key, uploadId, begunAt: Date.now(), parts: new Map<number, UploadedPart>() }
      uploads.set(nameOf(upload), upload)
      return uploadId
    },
    signPart: async ({ key, uploadId, partNumber, size }, origin) =>
      `${origin}/objects/${encodeURI(key)}?uploadId=${uploadId}&partNumber=${partNumber}&size=${size}`,
    async listParts(upload) {
      await work()
      const parts = uploads.get(nameOf(upload))?.parts.values()
      return parts && [...parts].sort((one, other) => one.partNumber - other.partNumber)
    },
    async completeUpload(upload, parts) {
      await work()
      const open = uploads.get(nameOf(upload))
      if (!open) throw new Error('NoSuchUpload')
      uploads.delete(nameOf(upload))
      const size = parts.reduce((sum, { partNumber }) => sum + (open.parts.get(partNumber)?.size ?? 0), 0)
      keep(upload.key, Buffer.alloc(0), size, 'video/mp4')
    },
    async abortUpload(upload) {
      await work()
      uploads.delete(nameOf(upload))
    },
    async openUploads(begunBefore) {
      return [...uploads.values()].filter(({ begunAt }) => begunAt < begunBefore)
    },
  }

  return {
    blobs,
    objects,
    uploads,
    touched,
    trouble,
    /** What a client does with a signed address: returns the ETag header. */
    putPart(url: string, size?: number): string {
      const { pathname, searchParams } = new URL(url)
      const key = decodeURI(pathname.slice('/objects/'.length))
      const upload = uploads.get(nameOf({ key, uploadId: searchParams.get('uploadId') ?? '' }))
      const partNumber = Number(searchParams.get('partNumber'))
      const etag = hash('md5', `${key} ${partNumber} ${++count}`)
      upload?.parts.set(partNumber, { partNumber, etag, size: size ?? Number(searchParams.get('size')) })
      return `"${etag}"`
    },
    store: (key: string, text: string) => keep(key, Buffer.from(text), Buffer.byteLength(text), 'text/plain'),
  }
}
