import { writeBytes } from './body/file-sink.ts'
import type { OpenObject } from './disk/read-object.ts'
import type { Facts, ObjectFacts } from './disk/sealed-file.ts'
import type { OpenUpload } from './disk/uploads.ts'
import { walkKeys } from './disk/walk-keys.ts'
import { checkedValue } from './http/object-headers.ts'
import { S3Error } from './http/s3-error.ts'
import { checkKey } from './http/s3-request.ts'
import {
  abortUpload,
  completeUpload,
  type ListedPart,
  type UploadName,
} from './operations/complete-upload.ts'
import type { Store } from './operations/store.ts'

/** Bytes that the caller reads from somewhere else. */
type Body = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * What the process that runs the store does with its objects, without HTTP and signatures. It has the same locks, space
 * and durability as requests. Everything rejects with S3Error, but for the error of a body.
 */
export interface DirectAccess {
  /** Durable when it resolves. If the body fails, its own error is the one that is thrown. */
  put(key: string, body: Body, facts: { size: number; contentType: string }): Promise<void>
  find(key: string): Promise<ObjectFacts | undefined>
  /** The caller closes it. */
  open(key: string): Promise<OpenObject | undefined>
  /** Damaged objects too. */
  list(prefix: string): Promise<string[]>
  /** Also if there is no such object. */
  remove(key: string): Promise<void>
  createUpload(key: string, contentType: string): Promise<string>
  /** In order of their numbers. */
  listParts(upload: UploadName): Promise<(Facts & { number: number })[]>
  completeUpload(upload: UploadName, parts: readonly ListedPart[]): Promise<void>
  abortUpload(upload: UploadName): Promise<void>
  openUploads(): Promise<OpenUpload[]>
}

/** The caller's source failed, not the store. */
export class BodyFailed extends Error {}

async function* fromCaller(body: Body): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new BodyFailed('the body failed', { cause })
  }
}

const headersOf = (contentType: string): Record<string, string> => ({
  'content-type': checkedValue('content-type', contentType),
})

function checkedKey(key: string): string {
  if (key === '') throw new S3Error('InvalidArgument', 'A key has at least one character.')
  return checkKey(key)
}

/** `answer` runs one call, and says what its failure means. */
export function createDirectAccess(
  store: Store,
  answer: <Result>(call: () => Promise<Result>) => Promise<Result>,
): DirectAccess {
  const { objects, uploads, drafts, layout, now } = store
  return {
    put: (key, body, { size, contentType }) =>
      answer(async () => {
        const facts = { key: checkedKey(key), headers: headersOf(contentType), size }
        await drafts.use(size, async (draft) => {
          const etag = await writeBytes(draft.file, fromCaller(body), size)
          await objects.put(draft, { ...facts, etag, modifiedAt: now() })
        })
      }),
    find: (key) => answer(() => objects.find(checkedKey(key))),
    open: (key) => answer(() => objects.open(checkedKey(key))),
    list: (prefix) =>
      answer(async () => {
        const keys: string[] = []
        for await (const { key } of walkKeys(layout.objects, prefix, Buffer.alloc(0))) keys.push(key)
        return keys
      }),
    remove: (key) => answer(() => objects.remove(checkedKey(key))),
    createUpload: (key, contentType) =>
      answer(() => uploads.create(checkedKey(key), headersOf(contentType), now())),
    listParts: ({ key, uploadId }) =>
      answer(async () =>
        [...uploads.find(key, uploadId).parts]
          .map(([number, facts]) => ({ ...facts, number }))
          .toSorted((one, other) => one.number - other.number),
      ),
    completeUpload: (upload, parts) =>
      answer(async () => {
        await completeUpload(store, upload, parts)
      }),
    abortUpload: (upload) => answer(() => abortUpload(store, upload)),
    openUploads: () => answer(async () => uploads.list()),
  }
}
