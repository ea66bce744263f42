import { finished, type Readable } from 'node:stream'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import type { BlobFacts, BlobStore, OpenBlob } from '../../ports/blob-store.ts'
import { createS3Client, type S3Config } from './s3-client.ts'
import { isInvalidRange, isMissingObject, withAppErrors } from './s3-errors.ts'
import { createS3Uploads, unquoted } from './s3-uploads.ts'
import { copyOntoItself, maxCopyBytes } from './self-copy.ts'

/** Of DeleteObjects. */
const deletesAtOnce = 1_000

export interface S3Blobs extends BlobStore {
  close(): void
}

/** Objects in any S3, or in our own store as a program, which speaks the same. */
export function createS3Blobs(config: S3Config): S3Blobs {
  const { bucket: Bucket } = config
  const client = createS3Client(config)
  /** With connections of its own: those who read slowly must not keep anybody from storing. */
  const reader = createS3Client(config)

  async function list(Prefix: string): Promise<string[]> {
    const keys: string[] = []
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix }))
      for (const { Key } of Contents) if (Key !== undefined) keys.push(Key)
    return keys
  }

  async function removeAll(prefix: string): Promise<void> {
    if (prefix === '') throw new Error('this would remove every object')
    const keys = await list(prefix)
    for (let at = 0; at < keys.length; at += deletesAtOnce) {
      const Objects = keys.slice(at, at + deletesAtOnce).map((Key) => ({ Key }))
      const { Errors = [] } = await client.send(
        new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
      )
      if (Errors.length > 0)
        throw new Error(`${Errors.length} objects could not be removed: ${Errors[0]?.Message}`)
    }
  }

  return {
    ...createS3Uploads(client, Bucket),
    async put(Key, Body, { size: ContentLength, contentType: ContentType }) {
      const abort = new AbortController()
      // The SDK would wait forever for the rest of a stream that has failed.
      const cleanUp =
        Body instanceof Uint8Array ? undefined : finished(Body, (error) => error && abort.abort(error))
      try {
        await withAppErrors(
          client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength, ContentType }), {
            abortSignal: abort.signal,
          }),
        )
      } catch (error) {
        throw abort.signal.aborted ? abort.signal.reason : error
      } finally {
        cleanUp?.()
      }
    },
    async head(Key) {
      try {
        return factsOf(await client.send(new HeadObjectCommand({ Bucket, Key })))
      } catch (error) {
        if (isMissingObject(error)) return undefined
        return await withAppErrors(Promise.reject(error))
      }
    },
    async open(Key, range) {
      const Range = range && `bytes=${range.first}-${range.last ?? ''}`
      try {
        return openBlobOf(await reader.send(new GetObjectCommand({ Bucket, Key, Range })))
      } catch (error) {
        if (isMissingObject(error)) return undefined
        if (isInvalidRange(error)) throw new RangeError('the range begins beyond the end of the object')
        return await withAppErrors(Promise.reject(error))
      }
    },
    list: (prefix) => withAppErrors(list(prefix)),
    removeAll: (prefix) => withAppErrors(removeAll(prefix)),
    touch: (Key) =>
      withAppErrors(copyOntoItself({ client, Bucket, Key }, config.maxCopyBytes ?? maxCopyBytes)),
    close() {
      client.destroy()
      reader.destroy()
    },
  }
}

type Described = Pick<GetObjectCommandOutput, 'ContentLength' | 'ContentType' | 'ETag'>

const factsOf = ({ ContentLength = 0, ContentType, ETag }: Described): BlobFacts => ({
  size: ContentLength,
  contentType: ContentType ?? 'application/octet-stream',
  etag: unquoted(ETag),
})

function openBlobOf(output: GetObjectCommandOutput): OpenBlob {
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(output.ContentRange ?? '') ?? []
  const facts = { ...factsOf(output), stream: output.Body as Readable }
  if (size === undefined) return facts
  return { ...facts, size: Number(size), range: { first: Number(first), last: Number(last) } }
}
