import { Readable } from 'node:stream'
import { limits } from '@atrium/contract'
import { type DirectAccess, type PartToSign, S3Error } from '@atrium/object-store'
import { storeRefusal } from '../../kernel/store-refusals.ts'
import type { BlobFacts, BlobStore, ByteRange, OpenBlob } from '../../ports/blob-store.ts'

export interface DiskBlobsDeps {
  store: DirectAccess
  /** The address below `origin` to which a client sends the part. */
  presign(part: Omit<PartToSign, 'root' | 'bucket'>, origin: string): string
  /** An object that nobody reads on is closed after this time; a minute if absent. */
  idleMs?: number
}

type Found = NonNullable<Awaited<ReturnType<DirectAccess['find']>>>
type Opened = NonNullable<Awaited<ReturnType<DirectAccess['open']>>>

/** As the store ends downloads that nobody reads. */
const usualIdleMs = 60_000

/** The objects of our own store, which runs in this process: without HTTP and signatures. Only clients use those. */
export function createDiskBlobs({ store, presign, idleMs = usualIdleMs }: DiskBlobsDeps): BlobStore {
  const find = (key: string): Promise<Found | undefined> => withAppErrors(store.find(key))

  return {
    async put(key, body, facts) {
      if (!(body instanceof Readable)) return await withAppErrors(store.put(key, [body], facts))
      // It may fail before anybody reads it; whoever reads it then sees why.
      body.on('error', () => undefined)
      await withAppErrors(store.put(key, body, facts)).finally(() => body.destroy())
    },
    async head(key) {
      const found = await find(key)
      return found && factsOf(found)
    },
    async open(key, range) {
      const opened = await withAppErrors(store.open(key))
      return opened && (await openBlobOf(opened, range, idleMs))
    },
    list: (prefix) => withAppErrors(store.list(prefix)),
    async removeAll(prefix) {
      if (prefix === '') throw new Error('this would remove every object')
      const failures: unknown[] = []
      // One that fails must not keep the others.
      for (const key of await withAppErrors(store.list(prefix)))
        await store.remove(key).catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw storeRefusal(undefined, failures[0])
    },
    async touch(key) {
      // Nobody waits for events of this store, and the bytes would stay as they are.
      if (!(await find(key))) throw storeRefusal('NoSuchKey', new Error('there is no object to touch'))
    },
    createUpload: (key, contentType) => withAppErrors(store.createUpload(key, contentType)),
    signPart: async (part, origin) =>
      presign({ ...part, expiresInSeconds: limits.presignedUrlSeconds }, origin),
    async listParts(upload) {
      const parts = await unlessNoUpload(store.listParts(upload))
      return parts?.map(({ number, etag, size }) => ({ partNumber: number, etag, size }))
    },
    completeUpload: (upload, parts) =>
      withAppErrors(
        store.completeUpload(
          upload,
          parts.map(({ partNumber, etag }) => ({ number: partNumber, etag: etag.replace(/^"(.*)"$/, '$1') })),
        ),
      ),
    async abortUpload(upload) {
      await unlessNoUpload(store.abortUpload(upload))
    },
    async openUploads(begunBefore) {
      const open = await withAppErrors(store.openUploads())
      return open.flatMap(({ key, uploadId, initiatedAt }) =>
        initiatedAt < begunBefore ? [{ key, uploadId }] : [],
      )
    },
  }
}

/** Whatever else the store throws is the error of a body. */
const refusalOf = (error: unknown): unknown =>
  error instanceof S3Error ? storeRefusal(error.code, error) : error

async function withAppErrors<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (error) {
    throw refusalOf(error)
  }
}

async function unlessNoUpload<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof S3Error && error.code === 'NoSuchUpload') return undefined
    throw refusalOf(error)
  }
}

const factsOf = ({ size, etag, headers }: Found): BlobFacts => ({
  size,
  contentType: headers['content-type'] ?? 'application/octet-stream',
  etag,
})

async function openBlobOf(opened: Opened, range: ByteRange | undefined, idleMs: number): Promise<OpenBlob> {
  const facts = factsOf(opened.facts)
  const last = Math.min(range?.last ?? facts.size - 1, facts.size - 1)
  const within = { first: range?.first ?? 0, last }
  if (range && within.first > last) {
    await opened.close()
    throw new RangeError('the range begins beyond the end of the object')
  }
  return { ...facts, stream: streamOf(opened, within, idleMs), ...(range && { range: within }) }
}

function streamOf({ read, close }: Opened, range: Required<ByteRange>, idleMs: number): Readable {
  const idle = setTimeout(() => stream.destroy(), idleMs)
  idle.unref()
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of read(range)) {
      idle.refresh()
      yield chunk
    }
  }
  const stream = Readable.from(bytes(), { objectMode: false })
  // Also if nobody has begun to read: a generator that was never started has no end.
  stream.once('close', () => {
    clearTimeout(idle)
    close().catch(() => undefined)
  })
  return stream
}
